import { setImmediate } from 'node:timers/promises'

import type { CompiledQuery, Transaction } from 'kysely'

import type { Schema } from './schema.ts'

interface Parts<Item> {
  /** The statement for so many items, with whatever values: each item's parameters in a row. */
  readonly compile: (itemCount: number) => CompiledQuery
  readonly parametersOf: (item: Item) => readonly unknown[]
}

/** Few sizes, so that every statement is soon built and prepared; the largest stays below 32,766 parameters. */
const batchSizes = [512, 64, 8, 1] as const

/** One statement applied to any number of items, many at a time, built once a batch size. */
export class BatchStatement<Item> {
  readonly #parts: Parts<Item>
  readonly #templateBySize = new Map<number, CompiledQuery>()

  constructor(parts: Parts<Item>) {
    this.#parts = parts
  }

  async execute(transaction: Transaction<Schema>, items: readonly Item[]): Promise<void> {
    let done = 0
    for (const size of batchSizes)
      while (items.length - done >= size) {
        await this.#executeBatch(transaction, items.slice(done, done + size))
        done += size
        if (size === batchSizes[0]) await setImmediate()
      }
  }

  async #executeBatch(transaction: Transaction<Schema>, items: readonly Item[]): Promise<void> {
    const template = this.#template(items.length)
    const parameters = items.flatMap(this.#parts.parametersOf)
    if (parameters.length !== template.parameters.length)
      throw new Error(
        `${parameters.length} parameters for a statement of ${template.parameters.length}`,
      )
    await transaction.executeQuery({ ...template, parameters })
  }

  #template(size: number): CompiledQuery {
    const known = this.#templateBySize.get(size)
    if (known) return known
    const made = this.#parts.compile(size)
    this.#templateBySize.set(size, made)
    return made
  }
}
