import { expect, test } from 'bun:test'

import { analysisSample, headerSample } from '../../../../ports/media/media-facts-store.contract.ts'
import type { ImageHeader } from '../../../../ports/media/renderer.ts'
import { ServiceError } from '../../../errors.ts'
import { parseAccept } from '../accepted-formats.ts'
import { parseRecipe } from '../recipe.ts'
import { createVariantKeys } from '../variant-keys.ts'
import { chooseMip, transformJobOf } from './job-of-plan.ts'
import { planTransform } from './transform-plan.ts'

const photograph: ImageHeader = { ...headerSample, format: 'jpeg', width: 800, height: 400 }
const face = { left: 0.5, top: 0.25, width: 0.1, height: 0.2, score: 0.9 }

function planned(query: string, header: Partial<ImageHeader> = {}, accept = 'image/webp') {
  const facts = {
    sha256: 'a',
    header: { ...photograph, ...header },
    focalPoint: undefined,
    analysis: { ...analysisSample, faces: [face], mips: [] },
    text: undefined,
  }
  const recipe = parseRecipe(new URLSearchParams(query))
  const options = { recipe, accepted: parseAccept(accept), savesData: false }
  return { facts, ...planTransform(facts, options) }
}

const refusal = (query: string, header?: Partial<ImageHeader>) => {
  try {
    planned(query, header)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, error.context['target'] ?? error.target]
    throw error
  }
}

for (const [query, key] of [
  [
    'w=100&h=100&blur=4&sharpen=2&format=avif',
    '5cb820f0351cd16f3edaaadd195ca95ec48293dcada273aa0e4cd7432ec79c03',
  ],
  ['w=100', '05eb6fb5a6cc7389279442783491e30cc37d317f7ef4cb045a397b0a643ea45b'],
  [
    'fit=contain&w=300&h=300&flip=h&format=png',
    'd39d70e4bce4b5388dbcb5690913e27a47ed19ab023566871b586cdbb7b9db49',
  ],
] as const)
  test(`the variant of ${query} is the one that it was before there were other parameters`, () => {
    expect(createVariantKeys()('a', planned(query).plan)).toBe(key)
  })

test('what changes nothing is the same variant', () => {
  const keyOf = createVariantKeys()
  const plain = keyOf('a', planned('w=100').plan)
  for (const more of [
    'brightness=1',
    'gamma=1&hue=0&sepia=0&invert=0&opacity=100',
    'border=0,fff',
    'scale=1&zoom=0&offset=0,0',
    'cut=0',
    'contrast=1&saturation=1&grayscale=0',
    'pad=0',
    'crop=0,0,800,400',
    'crop=0p,0p,100p,100p',
    'frame=1',
    'lossless=0&progressive=0&metadata=none',
    'progressive=1',
    'flip=hv&rotate=180',
  ])
    expect(`${more} ${keyOf('a', planned(`w=100&${more}`).plan)}`).toBe(`${more} ${plain}`)
  const spelled = ['fff', 'FFFFFF', 'white'].map((color) =>
    keyOf('a', planned(`w=100&bg=${color}`).plan),
  )
  expect(new Set(spelled).size).toBe(1)
})

test('sizes are of the part that is taken, and places move into it', () => {
  const { plan } = planned('crop=50p,25p,25p,50p&w=50&h=50&gravity=face')

  expect(plan.region).toEqual({ left: 400, top: 100, width: 200, height: 200 })
  expect([plan.resize, plan.crop]).toEqual([{ width: 50, height: 50 }, undefined])
  expect(planned('crop=700,0,900,400&w=50').plan.region?.width).toBe(100)
})

test('a place in the address is what stays, wherever it is turned to', () => {
  expect(planned('w=100&h=100&focal=0,0').plan.crop?.left).toBe(0)
  expect(planned('w=100&h=100&focal=1,0').plan.crop?.left).toBe(100)
  expect(planned('w=100&h=100&focal=0,0&rotate=90').plan.crop).toMatchObject({ left: 0, top: 0 })
  expect(planned('w=100&h=100&focal=0,0&rotate=270').plan.crop).toMatchObject({ left: 0, top: 100 })
})

test('an image that is turned by a quarter is scaled before, and sizes are of what is seen', () => {
  const { plan } = planned('w=100&rotate=90')

  expect([plan.resize, plan.rotate]).toEqual([{ width: 200, height: 100 }, 90])
})

test('scale-down fits into the box and never enlarges', () => {
  expect(planned('w=200&h=200&fit=scale-down').plan.resize).toEqual({ width: 200, height: 100 })
  expect(planned('w=2000&h=2000&fit=scale-down').plan.resize).toEqual({ width: 800, height: 400 })
  expect(planned('w=2000&fit=scale-down', { format: 'svg' }).plan.resize.width).toBe(800)
})

test('a rounded or padded image is clear around, so its format can be that, unless there is a colour', () => {
  expect(planned('radius=max', {}, '*/*').plan.output.format).toBe('png')
  expect(planned('pad=10', {}, '*/*').plan.output.format).toBe('png')
  expect(planned('radius=max&pad=10&bg=fff', {}, '*/*').plan.output.format).toBe('jpeg')
  expect(planned('w=100&radius=max').plan.radius).toBe(25)
  expect(planned('w=100&dpr=2&radius=10&pad=1,2').plan).toMatchObject({
    radius: 20,
    padding: { top: 2, right: 4, bottom: 2, left: 4 },
  })
})

test('faces alone are made blocks of, where they are in the result; none is said', () => {
  const { plan } = planned('w=400&h=200&pixelate=faces')
  expect(plan.pixelate?.boxes).toEqual([{ left: 192, top: 42, width: 56, height: 56 }])
  const { plan: other, notes } = planned('crop=0,0,100,100&pixelate=faces')
  expect([other.pixelate, notes]).toEqual([undefined, ['no-faces']])
})

test('without loss, auto chooses a format that can be', () => {
  expect(planned('lossless=1', {}, 'image/avif,image/webp').plan.output).toMatchObject({
    format: 'webp',
    isLossless: true,
    quality: 100,
  })
  expect(planned('lossless=1', {}, '*/*').plan.output.format).toBe('png')
})

test('a copy serves a part of the image too, unless something of the original is wanted', () => {
  const mip = { width: 400, height: 200, key: 'mip', channels: undefined }
  const { facts, plan } = planned('crop=200,100,400,200&w=100')
  const withCopy = { ...facts, analysis: { ...facts.analysis, mips: [mip] } }

  expect(chooseMip(plan, withCopy)).toBe(mip)
  const job = transformJobOf(plan, withCopy, { path: 'copy', mip })
  expect(job.region).toEqual({ left: 100, top: 50, width: 200, height: 100 })
  expect(chooseMip(planned('w=100&metadata=copyright').plan, withCopy)).toBeUndefined()
  expect(chooseMip(planned('w=100&lossless=1').plan, withCopy)).toBeUndefined()
})

for (const [query, target] of [
  ['crop=800,0,10,10', 'crop'],
  ['crop=0,0,0,10', 'crop'],
  ['frame=2', 'frame'],
  ['w=6000&h=6000&pad=2000&fit=fill', 'w'],
] as const)
  test(`${query} cannot be had of this image`, () => {
    expect(refusal(query)?.[0]).toBe('UnprocessableImage')
    expect(refusal(query)?.[1]).toBe(target)
  })

test('a png of what was stored without loss is made from that, never from a copy that has lost some', () => {
  const jpegCopy = { width: 400, height: 200, key: 'mip', channels: undefined }
  const copyOf = (query: string, header: Partial<ImageHeader>, channels?: 4) => {
    const { facts, plan } = planned(query, header)
    const mips = [{ ...jpegCopy, channels }]
    return chooseMip(plan, { ...facts, analysis: { ...facts.analysis, mips } })
  }

  expect(copyOf('w=100&format=png', { format: 'png' })).toBeUndefined()
  expect(copyOf('w=100&format=png', { format: 'png' }, 4)?.key).toBe('mip')
  expect(copyOf('w=100&format=png', { format: 'jpeg' })?.key).toBe('mip')
  expect(copyOf('w=100&format=webp', { format: 'png' })?.key).toBe('mip')
})

test('what was encoded before anybody knew that it is a graphic is another variant', () => {
  const options = (query: string) => ({
    recipe: parseRecipe(new URLSearchParams(query)),
    accepted: parseAccept('*/*'),
    savesData: false,
  })
  for (const query of ['format=avif', 'format=png']) {
    const { facts } = planned(query, { format: 'png' })
    const keys = [undefined, { ...facts.analysis, isGraphic: true }].map((analysis) =>
      createVariantKeys()('a', planTransform({ ...facts, analysis }, options(query)).plan),
    )
    expect([query, new Set(keys).size]).toEqual([query, 2])
  }
})

test('a png of a photograph is filtered, that of a graphic not', () => {
  const { facts, plan } = planned('format=png')
  const recipe = parseRecipe(new URLSearchParams('format=png'))
  const photo = { ...facts, analysis: { ...facts.analysis, isGraphic: false } }
  const options = { recipe, accepted: parseAccept('*/*'), savesData: false }

  expect(plan.output.hasFilters).toBeUndefined()
  expect(planTransform(photo, options).plan.output.hasFilters).toBe(true)
})

test('an overlay lies where it is wanted, in its own size or a share of the image, never beyond it', () => {
  const mark = { ...photograph, width: 100, height: 50 }
  const boxOf = (overlay: string, query = 'w=400') => {
    const { facts } = planned(query)
    const recipe = parseRecipe(new URLSearchParams(`${query}&overlay=a.png${overlay}`))
    const found = { named: recipe.overlays[0]!, facts: { ...facts, sha256: 'b', header: mark } }
    const options = { recipe, accepted: parseAccept('*/*'), savesData: false }
    return planTransform(facts, options, { overlays: [found] }).plan.overlays?.[0]
  }

  expect(boxOf('')).toEqual({
    sha256: 'b',
    box: { left: 150, top: 75, width: 100, height: 50 },
    opacity: 1,
  })
  expect(boxOf('@southeast,50,80,10')).toEqual({
    sha256: 'b',
    box: { left: 190, top: 90, width: 200, height: 100 },
    opacity: 0.8,
  })
  expect(boxOf('@northwest,,,10', 'w=400&dpr=2')?.box).toMatchObject({ left: 20, top: 20 })
  expect(boxOf('@east', 'w=60')?.box).toEqual({ left: 0, top: 0, width: 60, height: 30 })
  expect(boxOf('@south,100,,999', 'w=400&h=50')?.box).toMatchObject({ width: 100, height: 50 })
  expect(boxOf('@center,10,,4,tile')).toMatchObject({ gap: 4, box: { left: 0, top: 0, width: 40 } })
})

test('an image with another overlay is another variant', () => {
  const keyOf = createVariantKeys()
  const { facts } = planned('w=100')
  const recipe = parseRecipe(new URLSearchParams('w=100&overlay=a.png'))
  const options = { recipe, accepted: parseAccept('image/webp'), savesData: false }
  const keys = ['b', 'c'].map((sha256) => {
    const overlays = [{ named: recipe.overlays[0]!, facts: { ...facts, sha256 } }]
    return keyOf('a', planTransform(facts, options, { overlays }).plan)
  })

  expect(new Set([...keys, keyOf('a', planned('w=100').plan)]).size).toBe(3)
})

test('a part of which only the size is said lies where gravity or focal says', () => {
  const partOf = (query: string) => planned(query).plan.region

  expect(partOf('crop=200,100')).toEqual({ left: 300, top: 150, width: 200, height: 100 })
  expect(partOf('crop=50p,100p&gravity=east')).toEqual({
    left: 400,
    top: 0,
    width: 400,
    height: 400,
  })
  expect(partOf('crop=200,100&focal=0,1')).toEqual({ left: 0, top: 300, width: 200, height: 100 })
  expect(partOf('crop=200,100&gravity=face')).toMatchObject({ left: 340, top: 90 })
})

test('sides are cut off, in pixels or percent, and something has to be left', () => {
  expect(planned('cut=10,20').plan.region).toEqual({ left: 20, top: 10, width: 760, height: 380 })
  expect(planned('cut=0,50p,0,0').plan).toMatchObject({ resize: { width: 400, height: 400 } })
  expect(refusal('cut=200')).toEqual(['UnprocessableImage', 'cut'])
})

test('zoom goes from all that fits to the faces alone', () => {
  const partOf = (zoom: string) => planned(`w=100&h=100&gravity=face&zoom=${zoom}`).plan
  const [near, between] = [partOf('1').region, partOf('0.5').region]

  expect(partOf('0').region).toBeUndefined()
  expect(near).toEqual({ left: 372, top: 72, width: 136, height: 136 })
  expect(between?.width).toBe(Math.round((400 + 136) / 2))
  expect(partOf('1').resize).toEqual({ width: 100, height: 100 })
  expect(planned('w=100&h=100&zoom=1').plan.region).toBeUndefined()
})

test('texts are laid out on what is shown, in lines as wide as there is room', () => {
  const [first, second] =
    planned('w=400&text=Hello@southwest,40,f00,20,box:000:50&text2=b@north,wrap:50').plan.texts ??
    []

  expect(first).toEqual({
    text: 'Hello',
    sizePx: 40,
    color: '#ff0000',
    isBold: false,
    isItalic: false,
    opacity: 1,
    align: 'left',
    place: { x: 0, y: 1 },
    marginPx: 20,
    maxWidthPx: 400 - 2 * (20 + 16),
    box: { color: '#000000', opacity: 0.5, paddingPx: 16 },
  })
  expect(second).toMatchObject({ align: 'center', maxWidthPx: 200, place: { x: 0.5, y: 0 } })
})

test('a quality is for all formats, for one, or found by how similar the result is', () => {
  const outputFor = (query: string) => planned(query).plan.output

  expect(outputFor('q=70,avif:50&format=avif').quality).toBe(50)
  expect(outputFor('q=70,avif:50&format=webp').quality).toBe(70)
  expect(outputFor('q=avif:50&format=webp').quality).toBe(80)
  expect(outputFor('q=auto&format=webp')).toMatchObject({ quality: 95, similarity: 0.97 })
  expect(outputFor('q=auto:low,avif:50&format=webp').similarity).toBe(0.92)
  expect(outputFor('q=auto&format=png')).not.toHaveProperty('similarity')
})

test('what a caller does not want worked on is refused, or shown as its first frame', () => {
  const moving = { frames: 20, format: 'gif' } as const

  expect(refusal('max_source_mp=0.3')).toEqual(['UnprocessableImage', 'max_source_mp'])
  expect(refusal('max_source_mp=0.32')).toBeUndefined()
  expect(planned('', moving).plan.isAnimated).toBe(true)
  expect(planned('max_frames=19', moving).plan.isAnimated).toBe(false)
  expect(planned('max_frame_mp=0.3', moving).plan.isAnimated).toBe(false)
})

test('no side of a result is longer than a caller wants', () => {
  const planOf = (query: string) => planned(query).plan

  expect(planOf('max_side=400').resize).toEqual({ width: 400, height: 200 })
  expect(planOf('w=600&h=300&fit=contain&max_side=300')).toMatchObject({
    resize: { width: 300, height: 150 },
  })
  expect(planOf('w=100&h=100&max_side=50')).toMatchObject({
    resize: { width: 100, height: 50 },
    crop: { left: 25, top: 0, width: 50, height: 50 },
  })
  expect(planOf('w=100&h=200&fit=contain&max_side=100')).toMatchObject({
    resize: { width: 50, height: 25 },
    canvas: { size: { width: 50, height: 100 }, left: 0, top: 38 },
  })
})
