import type { AssetRecord } from '../../ports/publication-store.ts'

/** What filters ask for. */
export type Facet = Pick<AssetRecord, 'zone' | 'category' | 'format'>

/** A number for each zone with category and format, so that a filter looks at each of them once. */
export function createFacets() {
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
    of: (row: number): number => numberByRow[row] ?? 0,
    at: (number: number): Facet | undefined => facets[number],
    get end() {
      return facets.length
    },
    set(row: number, { zone, category, format }: Facet): void {
      if (row >= numberByRow.length) {
        const old = numberByRow
        numberByRow = new Uint32Array(old.length * 2)
        numberByRow.set(old)
      }
      numberByRow[row] = numberOf({ zone, category, format })
    },
    clear(row: number): void {
      numberByRow[row] = 0
    },
  }
}
