import { expect, test } from 'bun:test'

import type * as astroDeclared from '../client/astro.js'
import type * as nextDeclared from '../client/next.js'
import type * as nuxtDeclared from '../client/nuxt.js'
import type * as unpicDeclared from '../client/unpic.js'
import type { UploadElement as Declaration } from '../client/sedge-upload.js'
import * as astro from '../src/client/frameworks/astro.ts'
import * as next from '../src/client/frameworks/next.ts'
import * as nuxt from '../src/client/frameworks/nuxt.ts'
import * as unpic from '../src/client/frameworks/unpic.ts'
import type * as upload from '../src/client/frameworks/upload-element.ts'
import { imageUrl } from '../src/client/frameworks/image-url.ts'
import { snappedWidth, widthLadder } from '../src/lib/width-ladder.ts'

/** What the package says of its modules is true of them: else this does not compile. */
type Declared = {
  readonly next: typeof nextDeclared
  readonly nuxt: typeof nuxtDeclared
  readonly astro: typeof astroDeclared
  readonly unpic: typeof unpicDeclared
}
const modules: Declared = { next, nuxt, astro, unpic }
type ElementMembers = Exclude<keyof Declaration, keyof HTMLElement>
const elementMembers: readonly (ElementMembers & keyof upload.UploadElement)[] = [
  'permission',
  'upload',
]

const url = 'https://assets.example/'
const at = (query: string, path = '/acme/v1/banners/a.jpg') =>
  `https://assets.example/api/transform?url=${path}${query}`

test('each framework asks for the steps of the ladder alone', () => {
  const { createLoader } = modules.next
  const { createTransformer } = modules.unpic
  const asked = new Set<string>()
  for (let width = 1; width < 6000; width += 1) {
    const src = '/acme/v1/banners/a.jpg'
    const urls = [
      createLoader({ url })({ src, width }),
      createTransformer({ url })(src, { width }),
      modules.nuxt.default().getImage(src, { modifiers: { width }, baseURL: url }).url,
      modules.astro.default.getURL({ src, width }, { service: { config: { url } } }),
    ]
    expect(new Set(urls)).toEqual(new Set([at(`&w=${snappedWidth(width)}`)]))
    asked.add(urls[0] ?? '')
  }
  expect(asked.size).toBe(widthLadder.length)
})

test('what is asked of an image goes into its URL; its proportion is kept', () => {
  const { createTransformer } = modules.unpic
  const operations = { width: 600, height: '400', quality: 70, format: 'avif', fit: 'cover' }
  expect(createTransformer({ url })('acme/v1/banners/a.jpg', operations)).toBe(
    at('&w=600&h=400&fit=cover&q=70&format=avif'),
  )
  expect(imageUrl('/acme/v1/banners/a.jpg', { width: 700, height: 350 }, { url })).toBe(
    at('&w=720&h=360'),
  )
})

test('an asset is named by its path, by its URL, with its bytes, or in a version', () => {
  const wanted = { width: 48 }
  const named = (source: string, service = { url }) => imageUrl(source, wanted, service)
  expect(named('acme/v1/a b/ü&.jpg')).toBe(at('&w=48', '/acme/v1/a%20b/%C3%BC%26.jpg'))
  expect(named(`${url}acme/v1/a%20b/%C3%BC%26.jpg`)).toBe(named('acme/v1/a b/ü&.jpg'))
  expect(named('/acme/v1/banners/a.jpg?v=0123456789abcdef')).toBe(at('&v=0123456789abcdef&w=48'))
  expect(named('/@~spring/acme/v1/a.jpg')).toBe(at('&w=48', '/%40~spring/acme/v1/a.jpg'))
  expect(imageUrl('/acme/v1/a.jpg', wanted, {})).toBe('/api/transform?url=/acme/v1/a.jpg&w=48')
})

test("what is not the service's stays as it is", () => {
  for (const source of [
    'data:image/png;base64,AAAA',
    'https://elsewhere.example/acme/v1/a.jpg',
    'https://assets.example.evil/acme/v1/a.jpg',
    '/next.svg',
    '/_astro/hero.abc.png',
    'https://assets.example/%E0%A4%A',
  ])
    expect(imageUrl(source, { width: 48 }, { url })).toBe(source)
  const imported = { src: { src: '/_astro/a.png' }, width: 10 }
  const { getURL, getSrcSet } = modules.astro.default
  expect(getURL(imported, { service: { config: {} } })).toBe('/_astro/a.png')
  expect(getSrcSet({ ...imported, widths: [10] })).toEqual([])
})

test('Astro has all steps up to the widest, and what a page says of the image', () => {
  const { getSrcSet, getHTMLAttributes } = modules.astro.default
  const src = '/acme/v1/banners/a.jpg'
  const set = getSrcSet({ src, width: 300, height: 150, widths: [300, 600] })
  expect(set.map(({ descriptor }) => descriptor)).toEqual([
    '160w',
    '200w',
    '248w',
    '308w',
    '384w',
    '480w',
    '600w',
  ])
  expect(set.at(-1)?.transform).toMatchObject({ width: 600, height: 300 })
  expect(getSrcSet({ src, width: 300, densities: [1, '2x'] }).at(-1)?.descriptor).toBe('600w')
  expect(getSrcSet({ src, width: 300 })).toEqual([])
  expect(
    getHTMLAttributes({ src, width: 300, height: 150, widths: [1], alt: 'a', 'data-x': 1 }),
  ).toEqual({ width: 300, height: 150, alt: 'a', 'data-x': 1 })
})

test('Next and Nuxt are told of the ladder', () => {
  const { imageSizes, deviceSizes } = modules.next
  expect([...imageSizes, ...deviceSizes]).toEqual([...widthLadder])
  // As many as Next takes of each.
  expect(Math.max(imageSizes.length, deviceSizes.length)).toBeLessThanOrEqual(25)
  expect(modules.nuxt.screens['600']).toBe(600)
  expect(modules.unpic.breakpoints).toContain(600)
})

const modulesOf = async () => {
  const { exports } = await Bun.file(`${import.meta.dir}/../package.json`).json()
  return Object.entries(exports as Record<string, string | { types: string; default: string }>)
}

test('every module of the package is there with its types, takes nothing from elsewhere, and is short', async () => {
  expect(elementMembers).toHaveLength(2)
  for (const [name, files] of await modulesOf()) {
    if (typeof files === 'string') continue
    const script = await Bun.file(`${import.meta.dir}/../${files.default}`).text()
    expect({
      name,
      typed: await Bun.file(`${import.meta.dir}/../${files.types}`).exists(),
    }).toEqual({
      name,
      typed: true,
    })
    const taken = new Bun.Transpiler({ loader: 'js' }).scanImports(script).map(({ path }) => path)
    expect(taken.filter((path) => path !== './sedge.js')).toEqual([])
  }
  for await (const file of new Bun.Glob('*.ts').scan(
    `${import.meta.dir}/../src/client/frameworks`,
  )) {
    const text = await Bun.file(`${import.meta.dir}/../src/client/frameworks/${file}`).text()
    const lines = text.replaceAll(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gmu, '').split('\n')
    const written = lines.filter((line) => line.trim() !== '').length
    expect({ file, isShort: written <= 60, written: written <= 60 || written }).toEqual({
      file,
      isShort: true,
      written: true,
    })
  }
})
