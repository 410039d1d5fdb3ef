// The last deferred script of a page. If the page's own script or a style sheet is missing, as while a roll-out ends, it loads the
// page again, at most five times. Every build has this file with this content: its name has no hash.
{
  const MOST_RELOADS = 5;
  const isStyled = [...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet);
  if (!isStyled || !('started' in document.documentElement.dataset)) {
    // The history entry also counts where a browser stores nothing. The page's first entry resets it.
    const reloads = history.state?.reloads ?? 0;
    if (reloads < MOST_RELOADS) {
      history.replaceState({ ...history.state, reloads: reloads + 1 }, '');
      setTimeout(() => location.reload(), 200 << reloads);
    } else document.querySelector('[role=alert][hidden]').hidden = false;
  }
}
