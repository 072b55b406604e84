import { conditionOf, type Watch } from '../watch.ts'

/** A part that was found not to work. */
export interface FailedPart {
  readonly name: string
  readonly reason: string
  readonly isVital: boolean
}

/** What notifications of its own kind tell of, with more to say. */
const ownKinds: ReadonlySet<string> = new Set(['certificates', 'disk', 'mirror', 'mirrored-files'])

/** Parts of the service that did not work twice in a row. */
export function watchService(failed: () => Promise<readonly FailedPart[]>): Watch {
  let before: ReadonlySet<string> = new Set()
  return {
    kinds: ['service'],
    async look() {
      const now = (await failed()).filter(({ name }) => !ownKinds.has(name))
      const lasting = now.filter(({ name }) => before.has(name))
      before = new Set(now.map(({ name }) => name))
      return lasting.map(({ name, reason, isVital }) =>
        conditionOf({
          kind: 'service',
          about: name,
          name,
          severity: isVital ? 'critical' : 'warning',
          detail: `It does not work: ${reason}`,
        }),
      )
    },
  }
}
