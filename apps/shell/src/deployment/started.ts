// For start-again.js, which loads the page again if no script of it ran.
document.documentElement.dataset.started = '';
