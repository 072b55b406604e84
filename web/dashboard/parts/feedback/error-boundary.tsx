import { Component, type ReactNode } from 'react'

import { Failure } from './failure.tsx'

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly error: unknown
}

/** Keeps a page that fails from taking the others with it. */
export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Failure error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}
