interface Dependencies {
  readonly schedule: (slice: () => void) => void
  /** The work there is now, in bounded steps. */
  readonly work: () => Iterable<void>
}

/** Does work that was asked for one step a slice, and one slice at a time. */
export function createUpkeep({ schedule, work }: Dependencies) {
  let current: Iterator<void> | undefined
  let isScheduled = false
  let isAskedAgain = false

  function runSlice() {
    isScheduled = false
    current ??= work()[Symbol.iterator]()
    if (current.next().done !== true) return scheduleOnce()
    current = undefined
    if (!isAskedAgain) return
    isAskedAgain = false
    scheduleOnce()
  }

  function scheduleOnce() {
    if (isScheduled) return
    isScheduled = true
    schedule(runSlice)
  }

  return {
    /** Whether all that was asked for is done. */
    get isDone() {
      return !isScheduled && current === undefined
    },
    /** There is work now, or more of it. */
    request() {
      if (current) isAskedAgain = true
      scheduleOnce()
    },
  }
}
