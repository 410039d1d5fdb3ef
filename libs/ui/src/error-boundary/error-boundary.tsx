import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Called once with what a child threw while rendering or in an effect; from then on the boundary renders the fallback. */
  readonly onError: (error: unknown) => void;
  /** Replaces the children; nothing by default. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** Keeps an error of its children from everything around it. A new mount tries again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}
