import { type Actor, reaches } from '../access/actor.ts'
import { clientsDirectory } from '../content/asset-path.ts'

/** Whoever pushes, and what their credential opens besides files. */
export interface Pusher extends Actor {
  readonly mayChangeRules: boolean
  readonly mayChangeZones: boolean
}

/** A path that keeps a push from being taken. */
export interface Refusal {
  readonly path: string
  readonly why: string
}

/** Whether a path of the repository is one that the pusher may know of at all. */
export function reachesPath(pusher: Pick<Actor, 'zones'>, path: string): boolean {
  if (pusher.zones === undefined) return true
  const zone = zoneAt(path)
  return zone !== undefined && reaches(pusher, zone)
}

/** The zone that a path of the repository is in, whatever it is there. */
export function zoneAt(path: string): string | undefined {
  const [root, zone, below] = path.split('/')
  return root === clientsDirectory && below !== undefined ? zone : undefined
}
