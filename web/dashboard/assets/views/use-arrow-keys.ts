import { type KeyboardEvent, useState } from 'react'

interface ArrowKeysOptions {
  readonly count: number
  readonly columns: number
  /** Brings an item into view, so that it exists and can be focused. */
  readonly reveal: (index: number) => void
  /** With shift held: everything up to there is meant. */
  readonly onExtend?: ((index: number) => void) | undefined
}

const steps: Readonly<Record<string, (columns: number) => number>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
  PageUp: (columns) => -columns * 4,
  PageDown: (columns) => columns * 4,
}

/** One stop of the Tab key for a long list; arrows move within it. */
export function useArrowKeys({ count, columns, reveal, onExtend }: ArrowKeysOptions) {
  const [current, setCurrent] = useState(0)
  const last = Math.max(0, count - 1)
  const move = (event: KeyboardEvent<HTMLElement>) => {
    // In a field the keys are those of its text.
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return
    const target = targetOf(event.key, { current: Math.min(current, last), columns, last })
    if (target === undefined) return
    event.preventDefault()
    setCurrent(target)
    reveal(target)
    if (event.shiftKey) onExtend?.(target)
    const list = event.currentTarget
    requestAnimationFrame(() => {
      list.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus({ preventScroll: true })
    })
  }
  return { current: Math.min(current, last), setCurrent, onKeyDown: move }
}

interface Place {
  readonly current: number
  readonly columns: number
  readonly last: number
}

function targetOf(key: string, { current, columns, last }: Place): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]?.(columns)
  if (step === undefined) return undefined
  const target = current + step
  return Math.min(last, Math.max(0, target))
}
