import { expect, test } from 'bun:test'

import { analysisSample, headerSample } from '../../../../ports/media/media-facts-store.contract.ts'
import type { ImageHeader } from '../../../../ports/media/renderer.ts'
import { parseAccept } from '../../recipe/accepted-formats.ts'
import { planTransform } from '../../recipe/plan/transform-plan.ts'
import { parseRecipe } from '../../recipe/recipe.ts'
import { transformParameters } from '../../recipe/transform-parameters.ts'
import { transformCost } from './cost-model.ts'

const photograph: ImageHeader = { ...headerSample, format: 'jpeg', width: 4000, height: 3000 }
const moving: ImageHeader = { ...photograph, format: 'gif', width: 400, height: 300, frames: 20 }
const mark: ImageHeader = { ...photograph, format: 'png', width: 400, height: 400, hasAlpha: true }
const face = { left: 0.5, top: 0.25, width: 0.1, height: 0.2, score: 0.9 }

function costOf(query: string, header = photograph): number {
  const facts = {
    sha256: 'a',
    header,
    focalPoint: undefined,
    analysis: { ...analysisSample, faces: [face], isGraphic: false, mips: [] },
    text: undefined,
  }
  const recipe = parseRecipe(new URLSearchParams(query))
  const overlays = recipe.overlays.map((named) => ({
    named,
    facts: { ...facts, sha256: 'b', header: mark },
  }))
  const options = { recipe, accepted: parseAccept('image/webp'), savesData: false }
  const { plan } = planTransform(facts, options, { overlays })
  return transformCost(plan, facts, { mip: undefined, overlays }).cpuMs
}

/** A query that costs more than another for this one parameter's sake, or why none does. */
type Row =
  readonly [more: string, less: string, header?: ImageHeader] | { readonly because: string }

const noMore = (because: string): Row => ({ because })
const elsewhere = noMore(
  'it is what is looked for before, or made of a file, and is estimated there',
)
const onlyRefuses = noMore('it only refuses')
const onlyPlaces = noMore('it says which part is taken, not how much')

const rows: Readonly<Record<keyof typeof transformParameters, Row>> = {
  width: ['w=800', 'w=400'],
  height: ['h=800', 'h=400'],
  dpr: ['w=400&dpr=2', 'w=400'],
  fit: ['w=800&h=800&fit=contain', 'w=800&h=800&fit=inside'],
  gravity: onlyPlaces,
  focal: onlyPlaces,
  region: noMore('a part costs no more than the whole'),
  trim: elsewhere,
  flip: ['w=800&flip=h', 'w=800'],
  rotate: ['w=800&h=600&rotate=90', 'w=800&h=600'],
  scale: ['scale=0.5', 'scale=0.25'],
  aspectRatio: ['w=800&ar=1', 'w=800&ar=2'],
  minWidth: ['w=400&min_w=800', 'w=400'],
  minHeight: ['w=400&min_h=800', 'w=400'],
  mayEnlarge: ['w=5000&h=5000', 'w=5000&h=5000&enlarge=0'],
  offset: onlyPlaces,
  zoom: onlyPlaces,
  cut: noMore('a part costs no more than the whole'),
  format: ['w=800&format=avif', 'w=800&format=jpeg'],
  quality: ['w=800&q=auto', 'w=800&q=80'],
  slowQuality: noMore('one quality costs what another does'),
  isLossless: ['w=800&lossless=1', 'w=800'],
  isProgressive: ['w=800&format=jpeg&progressive=1', 'w=800&format=jpeg'],
  maxBytes: ['w=800&max_bytes=9000', 'w=800'],
  metadata: noMore('a few kilobytes are copied'),
  profile: noMore('colours are left as they are'),
  isAnimated: ['w=200', 'w=200&anim=0', moving],
  isThumbnail: elsewhere,
  isUpright: noMore('pixels are left as they are stored'),
  frame: noMore('one frame costs less than all'),
  page: elsewhere,
  seconds: elsewhere,
  preview: elsewhere,
  blur: ['w=800&blur=20', 'w=800&blur=4'],
  sharpen: ['w=800&sharpen=3', 'w=800'],
  brightness: ['w=800&brightness=1.2', 'w=800'],
  contrast: ['w=800&contrast=1.2', 'w=800'],
  saturation: ['w=800&saturation=1.2', 'w=800'],
  isGrayscale: ['w=800&grayscale=1', 'w=800'],
  tint: ['w=800&tint=804000', 'w=800'],
  pixelate: ['w=800&pixelate=9', 'w=800'],
  overlay: ['w=800&overlay=/z/v1/logos/mark.png', 'w=800'],
  overlay2: ['w=800&overlay2=/z/v1/logos/mark.png', 'w=800'],
  overlay3: ['w=800&overlay3=/z/v1/logos/mark.png', 'w=800'],
  radius: ['w=800&radius=20', 'w=800'],
  background: ['w=800&bg=fff', 'w=800'],
  padding: ['w=800&pad=20', 'w=800'],
  text: ['w=800&text=Summer', 'w=800'],
  text2: ['w=800&text2=Summer', 'w=800'],
  text3: ['w=800&text3=Summer', 'w=800'],
  gamma: ['w=800&gamma=1.5', 'w=800'],
  hue: ['w=800&hue=90', 'w=800'],
  sepia: ['w=800&sepia=50', 'w=800'],
  isInverted: ['w=800&invert=1', 'w=800'],
  opacity: ['w=800&opacity=50', 'w=800'],
  border: ['w=800&border=9,ff8800', 'w=800'],
  skip: onlyRefuses,
  maxResultSide: onlyRefuses,
  maxSourceMegapixels: onlyRefuses,
  maxSourceBytes: onlyRefuses,
  maxFrames: onlyRefuses,
  maxFrameMegapixels: onlyRefuses,
}

test('every parameter is costed, or there is a reason why it costs nothing', () => {
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(transformParameters).toSorted())
})

for (const [member, row] of Object.entries(rows))
  if ('because' in row)
    test(`${member} adds nothing to an estimate: ${row.because}`, () => {
      expect(row.because).not.toBe('')
    })
  else
    test(`${member} is part of what an image is estimated to cost`, () => {
      const [more, less, header] = row
      const { name } = transformParameters[member as keyof typeof transformParameters]
      expect(new URLSearchParams(`${more}&${less}`).has(name)).toBe(true)
      expect(costOf(more, header)).toBeGreaterThan(costOf(less, header))
    })

test('what is laid over an image in tiles costs as much as what covers all of it', () => {
  const overlay = '/z/v1/logos/mark.png'
  expect(costOf(`w=2000&overlay=${overlay}@center,5,100,0,tile`)).toBeGreaterThan(
    50 + costOf(`w=2000&overlay=${overlay}@center,5`),
  )
})
