import { logQuietly, type RemoteName } from '@maker/web-kit';
import { Component, type ReactNode } from 'react';

interface RemoteBoundaryProps {
  readonly name: RemoteName;
  /** The remote broke while rendering; nothing is shown from then on. */
  readonly onBroken: () => void;
  readonly children: ReactNode;
}

/** Keeps a remote that throws from taking the shell with it. Tries again when mounted anew. */
export class RemoteBoundary extends Component<RemoteBoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override componentDidCatch(error: unknown): void {
    logQuietly(`The remote '${this.props.name}' failed`, error);
    this.props.onBroken();
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
