import type { Condition, NotificationKind } from '../../ports/records/notification.ts'

/** Looks for what is wrong of some kinds. */
export interface Watch {
  readonly kinds: readonly NotificationKind[]
  /** All there is of these kinds at this moment. Where it rejects, nothing is known, and nothing changes. */
  readonly look: () => Promise<readonly Condition[]>
}

/** A condition of the service itself, or of something without a name of its own. */
export const conditionOf = (
  given: Pick<Condition, 'kind' | 'detail'> & Partial<Condition>,
): Condition => ({ about: '', name: '', zone: undefined, severity: 'warning', ...given })
