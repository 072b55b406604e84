import { setImmediate } from 'node:timers/promises'

/** Time that passes as soon as all that was due has been done. */
export interface SimulatedClock {
  readonly nowMs: number
  /** Does something after so many milliseconds. */
  after(ms: number, act: () => void): void
  /** Answers after so many milliseconds, or once `signal` is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** While any of these go on, time stands still: what they wait for is not of this clock. */
  standStill<Result>(work: Promise<Result>): Promise<Result>
  /** Somebody who computes from now on, whatever turns that takes: time goes on only while it waits for what it asked for. */
  attend(): Attendance
  runUntil(endMs: number): Promise<void>
}

export interface Attendance extends Disposable {
  /** What is waited for may need time. */
  awaiting<Result>(work: Promise<Result>): Promise<Result>
}

/** What is due within one of these is done together. */
const tickMs = 10

export function createSimulatedClock(): SimulatedClock {
  const actsByTick = new Map<number, (() => void)[]>()
  let tick = 0
  const standing = new Set<Promise<unknown>>()

  function after(ms: number, act: () => void): void {
    const due = tick + Math.max(1, Math.ceil(ms / tickMs))
    const acts = actsByTick.get(due)
    if (acts === undefined) actsByTick.set(due, [act])
    else acts.push(act)
  }

  /** All that follows of itself from what was done has been done after a turn of the loop. */
  async function settle(): Promise<void> {
    do await setImmediate()
    while (standing.size > 0)
  }

  async function standStill<Result>(work: Promise<Result>): Promise<Result> {
    standing.add(work)
    return await work.finally(() => standing.delete(work))
  }

  return {
    get nowMs() {
      return tick * tickMs
    },
    after,
    attend: () => createAttendance(standStill),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const leave = () => resolve()
        signal?.addEventListener('abort', leave, { once: true })
        after(ms, () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        })
      }),
    standStill,
    async runUntil(endMs) {
      for (; tick * tickMs < endMs; tick += 1) {
        const acts = actsByTick.get(tick)
        if (acts === undefined) continue
        actsByTick.delete(tick)
        for (const act of acts) act()
        await settle()
      }
    },
  }
}

function createAttendance(standStill: SimulatedClock['standStill']): Attendance {
  let waits = 0
  let hasLeft = false
  let computing = Promise.withResolvers<void>()
  void standStill(computing.promise)

  function compute(): void {
    if (hasLeft || waits > 0) return
    computing = Promise.withResolvers()
    void standStill(computing.promise)
  }

  return {
    async awaiting(work) {
      waits += 1
      computing.resolve()
      return await work.finally(() => {
        waits -= 1
        compute()
      })
    },
    [Symbol.dispose]() {
      hasLeft = true
      computing.resolve()
    },
  }
}
