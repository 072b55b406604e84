import { expect, test } from 'bun:test'

import { parseAccept } from './accepted-formats.ts'
import { parseRecipe } from './recipe.ts'
import { planTransform, type TransformPlan } from './plan/transform-plan.ts'
import { createVariantKeys } from './variant-keys.ts'
import { headerSample } from '../../../ports/media/media-facts-store.contract.ts'

const header = { ...headerSample, width: 800, height: 400 }
const query = new URLSearchParams('w=100&h=100&blur=4&sharpen=2&format=avif')
const { plan } = planTransform(
  { sha256: 'a', header, focalPoint: undefined, analysis: undefined, text: undefined },
  { recipe: parseRecipe(query), accepted: parseAccept('*/*'), savesData: false },
)

test('a plan that was put together in another order has the same key', () => {
  const keyOf = createVariantKeys()
  const reversed = Object.fromEntries(Object.entries(plan).toReversed()) as unknown as TransformPlan

  expect(keyOf('a', reversed)).toBe(keyOf('a', plan))
  expect(keyOf('a', plan)).toMatch(/^[0-9a-f]{64}$/u)
})

test('no member of a plan can be forgotten: another value of any, however deep, is another key', () => {
  const keyOf = createVariantKeys()
  const keys = [keyOf('b', plan), ...changesOf(plan).map((each) => keyOf('a', each))]

  expect(keys.length).toBeGreaterThan(14)
  expect(new Set([keyOf('a', plan), ...keys]).size).toBe(keys.length + 1)
})

/** A copy for every value in it, in which that one value is another. */
function changesOf<T>(value: T): T[] {
  if (typeof value !== 'object' || value === null) return [`not ${String(value)}` as T]
  return Object.entries(value).flatMap(([name, member]) =>
    changesOf(member).map((changed) => ({ ...value, [name]: changed })),
  )
}
