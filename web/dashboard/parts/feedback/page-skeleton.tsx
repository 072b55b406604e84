import type { ReactNode } from 'react'

import { t } from '../../language/text.ts'
import { Loading } from './query-result.tsx'
import { PageHeader } from '../page-header.tsx'

interface PageSkeletonProps {
  readonly title: string
  /** Why the page does not come. */
  readonly children?: ReactNode
}

/** A page that is on its way: its heading is known before it. */
export const PageSkeleton = ({ title, children }: PageSkeletonProps) => (
  <>
    <PageHeader title={title} lead={<span className="skeleton-line" aria-hidden="true" />} />
    {children ?? <Loading label={t('{page} is loading', { page: title })} />}
  </>
)
