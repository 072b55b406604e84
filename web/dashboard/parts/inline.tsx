import type { ReactNode } from 'react'

import { humanAge, humanTime } from './format.ts'

interface BadgeProps {
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad' | 'busy'
  readonly children: ReactNode
}

export const Badge = ({ kind = 'plain', children }: BadgeProps) => (
  <span className={`badge badge-${kind}`}>{children}</span>
)

/** A time as people say it, and to the minute for whoever points at it. */
export const Moment = ({ time }: { readonly time: string }) => (
  <time dateTime={time} title={humanTime(time)}>
    {humanAge(time)}
  </time>
)

/** A number that stands for itself; in a list of class `figures`. */
export const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="card figure">
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

const kindOfStatus = (status: number) => {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warning'
  return status >= 300 ? 'plain' : 'good'
}

/** A status of HTTP. */
export const StatusBadge = ({ status }: { readonly status: number }) => (
  <Badge kind={kindOfStatus(status)}>{status}</Badge>
)
