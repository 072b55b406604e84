import type { ReactNode } from 'react'

import { Icon, type IconName } from '../icon.tsx'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** What to do about it. */
  readonly children?: ReactNode
}

export const EmptyState = ({ icon, title, children }: EmptyStateProps) => (
  <div className="empty-state">
    <span className="empty-state-icon">
      <Icon name={icon} />
    </span>
    <h2>{title}</h2>
    {children}
  </div>
)
