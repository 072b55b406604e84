import type { ReactNode } from 'react'

interface PageHeaderProps {
  readonly title: string
  /** One sentence: what one does here. */
  readonly lead?: ReactNode
  /** Buttons. */
  readonly children?: ReactNode
}

export const PageHeader = ({ title, lead, children }: PageHeaderProps) => (
  <header className="page-header">
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p>{lead}</p>}
    </div>
    {children !== undefined && <div className="page-actions">{children}</div>}
  </header>
)
