import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

import { exiftool, have } from '../../../../test/support/needs.ts'
import { type EmbeddedFormat, UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { readEmbedded } from './read-embedded.ts'

async function temporary() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-embedded-'))
  return {
    file: (name: string) => join(directory, name),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

async function readBytes(bytes: Uint8Array | string, format: EmbeddedFormat) {
  await using place = await temporary()
  const path = place.file('it')
  await Bun.write(path, bytes)
  return await readEmbedded({ kind: 'embedded', path, format })
}

const bitmap = sharp({ create: { width: 8, height: 6, channels: 3, background: 'teal' } })
const formats = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const
const imageOf = async (format: (typeof formats)[number]) =>
  await bitmap
    .clone()
    .toFormat(format === 'avif' ? 'heif' : format, {
      ...(format === 'avif' && { compression: 'av1' }),
    })
    .toBuffer()

function exif(...words: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['exiftool', '-charset', 'utf8', ...words])
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString()
}

const xmpWords = [
  '-XMP-dc:Title-x-default=Harbour at dusk',
  '-XMP-dc:Title-de=Hafen am Abend',
  '-XMP-dc:Description=Boats — three of them — at the quay',
  '-XMP-dc:Subject=Harbour',
  '-XMP-dc:Subject=boats',
  '-XMP-dc:Rights=© Quay & Co',
  '-XMP-xmpRights:WebStatement=https://licences.example/by/4.0/',
  '-XMP-iptcCore:AltTextAccessibility-en=Three boats',
  '-XMP-iptcCore:AltTextAccessibility-de=Drei Boote',
]

for (const format of formats)
  if (have(`XMP that exiftool writes into ${format} is read`, exiftool))
    test(`XMP that exiftool writes into ${format} is read`, async () => {
      await using place = await temporary()
      const path = place.file(`it.${format}`)
      await Bun.write(path, await imageOf(format))
      exif('-overwrite_original', ...xmpWords, path)

      expect(await readEmbedded({ kind: 'embedded', path, format })).toEqual({
        title: 'Harbour at dusk',
        alt: { de: 'Drei Boote', en: 'Three boats' },
        description: 'Boats — three of them — at the quay',
        tags: ['boats', 'harbour'],
        copyright: '© Quay & Co',
        licence: 'https://licences.example/by/4.0/',
        sources: {
          title: 'xmp',
          alt: 'xmp',
          description: 'xmp',
          tags: 'xmp',
          copyright: 'xmp',
          licence: 'xmp',
        },
      })
    })

const iptcNames = ['ObjectName', 'Caption-Abstract', 'Keywords', 'CopyrightNotice'] as const

for (const format of ['jpeg', 'png', 'tiff'] as const)
  for (const charset of ['UTF8', 'Latin'] as const)
    if (have(`IPTC in ${charset} is read from ${format} as exiftool reads it`, exiftool))
      test(`IPTC in ${charset} is read from ${format} as exiftool reads it`, async () => {
        await using place = await temporary()
        const path = place.file(`it.${format}`)
        await Bun.write(path, await imageOf(format))
        const declared = charset === 'UTF8' ? ['-IPTC:CodedCharacterSet=UTF8'] : []
        exif(
          '-overwrite_original',
          ...declared,
          '-IPTC:ObjectName=Crème brûlée',
          `-IPTC:Caption-Abstract=Glühwein ${'and more '.repeat(100)}`,
          '-IPTC:Keywords=süß',
          '-IPTC:Keywords=dessert',
          '-IPTC:CopyrightNotice=© Küche',
          path,
        )
        const [read] = JSON.parse(
          exif('-j', '-struct', ...iptcNames.map((name) => `-IPTC:${name}`), path),
        ) as readonly Record<(typeof iptcNames)[number], string | readonly string[]>[]
        const found = await readEmbedded({ kind: 'embedded', path, format })

        expect(read?.ObjectName).toBe('Crème brûlée')
        expect({
          ObjectName: found.title,
          'Caption-Abstract': found.description,
          Keywords: found.tags?.toReversed(),
          CopyrightNotice: found.copyright,
        }).toEqual({
          ObjectName: 'Crème brûlée',
          'Caption-Abstract': String(read?.['Caption-Abstract']).trim(),
          Keywords: ['süß', 'dessert'],
          CopyrightNotice: '© Küche',
        })
        expect(new Set(read?.Keywords)).toEqual(new Set(found.tags))
        expect(found.sources).toEqual({
          title: 'iptc',
          description: 'iptc',
          tags: 'iptc',
          copyright: 'iptc',
        })
      })

if (have('datasets changed since XMP was written beside them come first', exiftool))
  test('datasets changed since XMP was written beside them come first', async () => {
    await using place = await temporary()
    const path = place.file('it.jpg')
    await Bun.write(path, await imageOf('jpeg'))
    const read = async () => {
      const { title, sources } = await readEmbedded({ kind: 'embedded', path, format: 'jpeg' })
      return [title, sources.title]
    }
    exif('-overwrite_original', '-XMP-dc:Title=one', '-IPTC:ObjectName=other', path)
    expect(await read()).toEqual(['one', 'xmp'])
    exif('-overwrite_original', '-Photoshop:IPTCDigest=new', path)
    expect(await read()).toEqual(['one', 'xmp'])
    exif('-overwrite_original', '-IPTC:ObjectName=newer', path)
    expect(await read()).toEqual(['newer', 'iptc'])
  })

const packet = (properties: string, attributes = '') =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
   <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:cc="http://creativecommons.org/ns#" ${attributes}>${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`

function webpWith(xmp: Uint8Array | string): Uint8Array {
  const bytes = Buffer.from(xmp)
  const head = Buffer.from('RIFF....WEBPXMP ....')
  head.writeUInt32LE(bytes.length, 16)
  return Buffer.concat([head, bytes])
}

test('values that are attributes or links are read, and nested ones of others are not', async () => {
  const xmp = packet(
    `<cc:license rdf:resource="https://licences.example/zero"/>
     <other:part xmlns:other="urn:x"><rdf:Description><dc:title>not mine</dc:title></rdf:Description></other:part>`,
    'dc:title="Plain"',
  )
  for (const bytes of [Buffer.from(xmp), Buffer.from(`\ufeff${xmp}`, 'utf16le')])
    expect(await readBytes(webpWith(bytes), 'webp')).toMatchObject({
      title: 'Plain',
      licence: 'https://licences.example/zero',
    })
})

test('the alternative for all stands for itself only where no language says the same', async () => {
  const alternatives = (...said: readonly (readonly [string, string])[]) =>
    packet(
      `<a:AltTextAccessibility xmlns:a="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"><rdf:Alt>${said
        .map(([language, text]) => `<rdf:li xml:lang="${language}">${text}</rdf:li>`)
        .join('')}</rdf:Alt></a:AltTextAccessibility>`,
    )
  const altOf = async (...said: readonly (readonly [string, string])[]) =>
    (await readBytes(webpWith(alternatives(...said)), 'webp')).alt

  expect(await altOf(['x-default', 'A'], ['en-us', 'A'])).toEqual({ 'en-US': 'A' })
  expect(await altOf(['x-default', 'A'], ['de', 'B'])).toEqual({ de: 'B', und: 'A' })
  expect(await altOf(['not a language', 'A'])).toBeUndefined()
})

for (const [what, xmp] of [
  [
    'entities that grow',
    `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${packet('<dc:title>&b;</dc:title>')}`,
  ],
  [
    'entities from elsewhere',
    `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${packet('<dc:title>&a;</dc:title>')}`,
  ],
  ['an unknown entity', packet('<dc:title>&a;</dc:title>')],
  ['an unfinished packet', packet('<dc:title>x</dc:title>').slice(0, -20)],
  ['deep nesting', packet(`${'<dc:title>'.repeat(5000)}x${'</dc:title>'.repeat(5000)}`)],
  ['very many elements', packet('<dc:title>x</dc:title>'.repeat(20_001))],
  ['no XML', 'nothing of the kind'],
] as const)
  test(`XMP with ${what} says nothing`, async () => {
    expect(await readBytes(webpWith(xmp), 'webp')).toEqual({ sources: {} })
  })

test('much is cut to what is kept', async () => {
  const items = Array.from({ length: 900 }, (_, at) => `<rdf:li>${at} ${'x'.repeat(90)}</rdf:li>`)
  const found = await readBytes(
    webpWith(
      packet(
        `<dc:subject><rdf:Bag>${items.join('')}</rdf:Bag></dc:subject><dc:title>${'t '.repeat(99_000)}</dc:title>
         <dc:description>one&#10;two \u202e\u0000</dc:description>`.replaceAll('\u0000', ''),
      ),
    ),
    'webp',
  )

  expect(found.tags).toHaveLength(50)
  expect(found.tags?.every((tag) => tag.length <= 64)).toBe(true)
  expect(found.title?.length).toBeLessThanOrEqual(300)
  expect(found.description).toBe('one\ntwo')
})

test('a compressed text that grows a thousandfold is refused', async () => {
  const text = Buffer.concat([
    Buffer.from('XML:com.adobe.xmp\0\u0001\0\0\0', 'latin1'),
    deflateSync(Buffer.alloc(64 * 2 ** 20)),
  ])
  const head = Buffer.from('\u0089PNG\r\n\u001a\n....iTXt', 'latin1')
  head.writeUInt32BE(text.length, 8)

  expect(readBytes(Buffer.concat([head, text, Buffer.alloc(4)]), 'png')).rejects.toThrow(
    UnrenderableImageError,
  )
})

test('an SVG says its own title and description, not those of its parts', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><g><title>part</title></g>
    <title xml:lang="en">A &lt;plane&gt;</title><title xml:lang="de">Flugzeug</title>
    <desc>It <b>flies</b></desc></svg>`

  expect(await readBytes(svg, 'svg')).toEqual({
    title: 'A <plane>',
    description: 'It flies',
    sources: { title: 'svg', description: 'svg' },
  })
})

const magicByFormat: Readonly<Record<EmbeddedFormat, Uint8Array | string>> = {
  jpeg: Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xed,
    0,
    30,
    ...Buffer.from('Photoshop 3.0\u00008BIM\u0004\u0004'),
  ]),
  png: Buffer.from('\u0089PNG\r\n\u001a\n\0\0\0\u0040iTXtXML:com.adobe.xmp\0', 'latin1'),
  webp: 'RIFF....WEBPXMP ',
  gif: 'GIF89a\u0001\0\u0001\0\0\0\0!\u00ff',
  avif: Buffer.from(
    '\0\0\0\u0010ftypavif\0\0\0\0\0\0\u0001\0meta\0\0\0\0\0\0\0\u0040iinf',
    'latin1',
  ),
  tiff: Buffer.from('II\u002a\0\u0008\0\0\0\u0008\0', 'latin1'),
  svg: '<svg><title>',
}

for (const format of [...formats, 'svg'] as const)
  test(`any bytes called ${format} are read or refused, and say little`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (rest) => {
        const bytes = Buffer.concat([Buffer.from(magicByFormat[format]), rest])
        try {
          expect(JSON.stringify(await readBytes(bytes, format)).length).toBeLessThan(20_000)
        } catch (error) {
          expect(error).toBeInstanceOf(UnrenderableImageError)
        }
      }),
      { numRuns: 60 },
    )
  })
