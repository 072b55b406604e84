import { createHash } from 'node:crypto'

/** The SHA-256 of a file's bytes, or `absent`. */
export type State = string

export const absent: State = 'absent'
export const stateOf = (bytes: Uint8Array): State =>
  createHash('sha256').update(bytes).digest('hex')

/** What one request asked for; a batch has many, and they hold together or not at all. */
export type Intent = ReadonlyMap<string, State>

export type LedgerEvent =
  { readonly kind: 'asked'; readonly intent: Intent } | { readonly kind: 'answered' | 'refused' }

/**
 * What a client knows of its own paths: the state that was acknowledged, and the one request, if any,
 * that was not answered. Each path belongs to one client, whose requests are in order.
 */
export class Ledger {
  readonly #note: (event: LedgerEvent) => void
  readonly #acknowledged = new Map<string, State>()
  #unanswered: Intent | undefined
  acknowledgedCount = 0

  /** @param note - called with all that happens, so that the ledger of any moment can be made again. */
  constructor(note: (event: LedgerEvent) => void = () => {}) {
    this.#note = note
  }

  get paths(): readonly string[] {
    return [...new Set([...this.#acknowledged.keys(), ...(this.#unanswered?.keys() ?? [])])]
  }

  stateOf(path: string): State {
    return this.#acknowledged.get(path) ?? absent
  }

  asked(intent: Intent): void {
    this.#unanswered = intent
    this.#note({ kind: 'asked', intent })
  }

  answered(): void {
    for (const [path, state] of this.#unanswered ?? []) this.#acknowledged.set(path, state)
    this.#unanswered = undefined
    this.acknowledgedCount += 1
    this.#note({ kind: 'answered' })
  }

  refused(): void {
    this.#unanswered = undefined
    this.#note({ kind: 'refused' })
  }

  /** Takes an event of another ledger as its own. */
  repeat(event: LedgerEvent): void {
    if (event.kind === 'asked') this.asked(event.intent)
    else this[event.kind]()
  }

  /**
   * Compares with what is really there, and takes that as acknowledged from now on. Answers what is
   * wrong: something acknowledged that is lost, something nobody asked for, or half of a request.
   */
  reconcile(actual: ReadonlyMap<string, State>): readonly string[] {
    const outcomes = new Set<Outcome>()
    const faults: string[] = []
    for (const path of this.paths) {
      const seen = actual.get(path) ?? absent
      const outcome = this.#outcomeOf(path, seen)
      outcomes.add(outcome)
      if (outcome === 'wrong')
        faults.push(`${path}: acknowledged ${this.stateOf(path)}, found ${seen}`)
      this.#acknowledged.set(path, seen)
    }
    if (outcomes.has('done') && outcomes.has('not done'))
      faults.push(`half of a request is there: ${[...(this.#unanswered?.keys() ?? [])].join(', ')}`)
    this.#unanswered = undefined
    return faults
  }

  #outcomeOf(path: string, seen: State): Outcome {
    const before = this.stateOf(path)
    const wanted = this.#unanswered?.get(path) ?? before
    if (seen === before) return wanted === before ? 'as it was' : 'not done'
    return seen === wanted ? 'done' : 'wrong'
  }
}

type Outcome = 'as it was' | 'done' | 'not done' | 'wrong'
