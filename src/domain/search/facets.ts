import type { AssetRecord } from '../../ports/records/asset.ts'

/** What filters ask for. */
export type Facet = Pick<AssetRecord, 'zone' | 'category' | 'format'>

/** A number for each zone with category and format, so that a filter looks at each of them once. */
export interface Facets {
  /** One more than the greatest number. */
  readonly end: number
  at(number: number): Facet | undefined
  /** The number of what is in a row; 0 where nothing is. */
  of(row: number): number
  set(row: number, facet: Facet): void
  clear(row: number): void
}

export function createFacets(): Facets {
  const facets: (Facet | undefined)[] = [undefined]
  const numberByKey = new Map<string, number>()
  let numberByRow = new Uint32Array(1_024)

  function numberOf(facet: Facet): number {
    const { zone, category, format } = facet
    const key = `${zone}/${category}/${format}`
    const known = numberByKey.get(key)
    if (known !== undefined) return known
    const number = facets.push(facet) - 1
    numberByKey.set(key, number)
    return number
  }

  return {
    of: (row) => numberByRow[row] ?? 0,
    at: (number) => facets[number],
    get end() {
      return facets.length
    },
    set(row, { zone, category, format }) {
      if (row >= numberByRow.length) {
        const old = numberByRow
        numberByRow = new Uint32Array(old.length * 2)
        numberByRow.set(old)
      }
      numberByRow[row] = numberOf({ zone, category, format })
    },
    clear(row) {
      numberByRow[row] = 0
    },
  }
}
