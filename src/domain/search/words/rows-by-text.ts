import { createTextTable } from '../../../lib/collections/text-table.ts'
import { createRowLists, type RowLists } from './row-lists.ts'

/** Lists of rows by text. A text stays, whatever becomes of its rows. */
export interface RowsByText {
  /** As `RowLists` has it. */
  of(text: string): ReturnType<RowLists['of']>
  append(text: string, row: number): void
  insert(text: string, row: number): void
}

export function createRowsByText(): RowsByText {
  const texts: string[] = []
  const listByText = createTextTable({ textOf: (list) => texts[list]! })
  const lists = createRowLists()

  function listOf(text: string): number {
    const known = listByText.find(text)
    if (known !== undefined) return known
    const list = texts.push(text) - 1
    listByText.add(text, list)
    return list
  }

  return {
    of: (text) => lists.of(listByText.find(text) ?? texts.length),
    append: (text, row) => lists.append(listOf(text), row),
    insert: (text, row) => lists.insert(listOf(text), row),
  }
}
