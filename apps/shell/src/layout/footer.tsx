/** The line below every page. Source: specification § 2. */
export function Footer() {
  return (
    <footer className="site-footer">
      <p>
        By continuing, you accept our <a href="/terms">Terms of Service</a>
      </p>
    </footer>
  );
}
