import { expect, test } from 'bun:test'

import { meaningTexts, otherNames } from './index-text.ts'

const iconOf = (name: string) => ({
  path: `acme/v1/icons/${name}.svg`,
  zone: 'acme',
  category: 'icons',
  name: `${name}.svg`,
  format: 'svg',
})
const synonyms = new Map([
  ['trash', 'garbage, delete, bin'],
  ['badge', 'medal, award, rank, shield, sticker'],
  ['euro', 'money, currency, coin, price, bank'],
  ['arrow-down', 'download'],
])
const synonymsOf = (name: string) => synonyms.get(name)

test('an icon is called what its name is called, another SVG of it too', () => {
  for (const name of ['trash', 'trash-2'])
    expect(otherNames(iconOf(name), synonymsOf)).toEqual(['garbage', 'delete', 'bin'])
})

test('an icon whose name nobody knows is called what its longest parts are, each as much', () => {
  expect(otherNames(iconOf('badge-euro'), synonymsOf)).toEqual([
    'medal',
    'award',
    'rank',
    'shield',
    'money',
    'currency',
    'coin',
    'price',
  ])
  expect(meaningTexts(iconOf('big-arrow-down'), synonymsOf)).toEqual([
    'big arrow down icon',
    'big arrow down icon: download',
  ])
  expect(otherNames(iconOf('unheard-of'), synonymsOf)).toEqual([])
})
