import { getPriority, setPriority } from 'node:os'

/**
 * Has this process give way to others by so much (`nice`, 0 to 19), at least: one that was started nicer still
 * stays so, for without the right to it nobody may become less nice.
 */
export function yieldToOthers(niceness: number): void {
  if (getPriority() < niceness) setPriority(niceness)
}
