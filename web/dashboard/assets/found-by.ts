import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type FoundBy = ResponseOf<'search'>['results'][number]['foundBy']

const texts: Readonly<Record<FoundBy[number], () => string>> = {
  name: () => t('found by its name'),
  title: () => t('found by its title'),
  alt: () => t('found by its description'),
  tags: () => t('found by its tags'),
  description: () => t('found by its description'),
  fields: () => t('found by its description'),
  text: () => t('found by what is written in it'),
  vision: () => t('found by what a model sees'),
  image: () => t('found by its colours and shape'),
  synonym: () => t('found by a word for the same'),
  meaning: () => t('found by its meaning'),
}

/** By what a search found it, the plainest ground first; empty of what was listed. */
export const foundByTexts = (foundBy: FoundBy | undefined): readonly string[] => [
  ...new Set((foundBy ?? []).map((ground) => texts[ground]())),
]
