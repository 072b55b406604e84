import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type FoundBy = ResponseOf<'search'>['results'][number]['foundBy']

const texts: Readonly<Partial<Record<FoundBy[number], () => string>>> = {
  title: () => t('found by its title'),
  alt: () => t('found by its description'),
  tags: () => t('found by its tags'),
  description: () => t('found by its description'),
  fields: () => t('found by its description'),
  text: () => t('found by what is written in it'),
  vision: () => t('found by what a model sees'),
  image: () => t('found by its colours and shape'),
  meaning: () => t('found by its meaning'),
}

/** By what a search found it, where its name does not say so. */
export function foundByText(foundBy: FoundBy | undefined): string | undefined {
  if (foundBy === undefined || foundBy.includes('name')) return undefined
  const [ground] = foundBy
  return ground === undefined ? undefined : texts[ground]?.()
}
