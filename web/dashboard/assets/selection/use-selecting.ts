import { useRef, useState } from 'react'

import { toastFailure } from '../../parts/feedback/toasts.tsx'
import type { AssetSource } from '../use-assets.ts'
import {
  everything,
  isSelected,
  nothing,
  selectedCount,
  type Selection,
  toggled,
  withPaths,
} from './selection.ts'

/** What of a list is chosen, and what changes it. */
export interface Selecting {
  readonly selection: Selection
  readonly count: number
  has(path: string): boolean
  /** What comes next reaches from here. */
  toggle(path: string, index: number): void
  /** Everything from where one began to here. */
  extendTo(index: number): void
  /** Stretches of the list, beside what was chosen before. */
  sweep(stretches: readonly (readonly [number, number])[], isEnd: boolean): void
  /** A folder with all that is in it; not where all of a list is meant, which has files alone. */
  toggleFolder(folder: string): void
  hasFolder(folder: string): boolean
  selectAll(): void
  clear(): void
}

/** One by one no more than one request can name. */
const maxPaths = 5000

interface Options {
  /** Of what the list shows: another list begins with nothing. */
  readonly key: string
  /** Whether all of it can be named without its paths. */
  readonly canNameAll: boolean
}

export function useSelecting(source: AssetSource, { key, canNameAll }: Options): Selecting {
  const [state, setState] = useState({ key, selection: nothing })
  const anchor = useRef({ index: 0, base: nothing })
  if (state.key !== key) setState({ key, selection: nothing })
  const selection = state.key === key ? state.selection : nothing
  const set = (next: Selection) => setState({ key, selection: next })

  async function add(stretches: readonly (readonly [number, number])[]) {
    try {
      const paths: string[] = []
      for (const [first, last] of stretches)
        if (paths.length < maxPaths) paths.push(...(await source.paths(first, last)))
      set(withPaths(anchor.current.base, paths.slice(0, maxPaths)))
    } catch (error) {
      toastFailure(error)
    }
  }

  return {
    selection,
    count: selectedCount(selection, source.count),
    has: (path) => isSelected(selection, path),
    toggle(path, index) {
      const next = toggled(selection, path)
      anchor.current = { index, base: next }
      set(next)
    },
    extendTo(index) {
      const from = anchor.current.index
      void add([[Math.min(from, index), Math.max(from, index)]])
    },
    sweep(stretches, isEnd) {
      if (stretches.length === 0) return
      void add(stretches)
      if (isEnd) anchor.current = { index: stretches[0]?.[0] ?? 0, base: nothing }
    },
    toggleFolder(folder) {
      if (!selection.isAll) set(toggled(selection, `${folder}/`))
    },
    hasFolder: (folder) => !selection.isAll && selection.paths.has(`${folder}/`),
    selectAll() {
      if (canNameAll) return set(everything)
      anchor.current = { index: 0, base: nothing }
      void add([[0, Math.min(source.count, maxPaths) - 1]])
    },
    clear() {
      anchor.current = { index: anchor.current.index, base: nothing }
      set(nothing)
    },
  }
}

/** Where one is chosen by opening it. */
export const noSelecting: Selecting = {
  selection: nothing,
  count: 0,
  has: () => false,
  toggle: () => {},
  extendTo: () => {},
  sweep: () => {},
  toggleFolder: () => {},
  hasFolder: () => false,
  selectAll: () => {},
  clear: () => {},
}
