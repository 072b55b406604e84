import type { ReactNode } from 'react'

interface BadgeProps {
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad' | 'busy'
  readonly children: ReactNode
}

export const Badge = ({ kind = 'plain', children }: BadgeProps) => (
  <span className={`badge badge-${kind}`}>{children}</span>
)
