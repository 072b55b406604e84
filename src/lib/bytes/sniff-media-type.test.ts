import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { canonicalType, sniffedBytes, sniffMediaType } from './sniff-media-type.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const text = (given: string) => new TextEncoder().encode(given)
const boxes = (brands: string) =>
  new Uint8Array([0, 0, 0, 8 + brands.length, ...text('ftyp'), ...text(brands), 0, 0, 0, 0])
const transportStream = new Uint8Array(600).fill(0xff)
for (const at of [0, 188, 376]) transportStream[at] = 0x47

test.each([
  ['image/png', hex('89504e470d0a1a0a 0000000d')],
  ['image/jpeg', hex('ffd8ffe0 0010')],
  ['image/gif', text('GIF89a......')],
  ['image/webp', text('RIFF....WEBPVP8 ')],
  ['image/avif', boxes('avif\0\0\0\0mif1')],
  ['image/heic', boxes('heic\0\0\0\0mif1')],
  ['image/jxl', hex('ff0a fa 7f')],
  ['image/tiff', hex('49492a00 08000000')],
  ['image/x-icon', hex('00000100 0100')],
  ['image/bmp', hex('424d 36000000 00000000')],
  [
    'image/svg+xml',
    text('<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['video/mp4', boxes('isom\0\0\0\0mp42')],
  ['video/quicktime', boxes('qt  \0\0\0\0')],
  ['audio/mp4', boxes('M4A \0\0\0\0')],
  ['video/webm', hex('1a45dfa3 9f 42868101 4282847765626d')],
  ['video/x-matroska', hex('1a45dfa3 a3 42868101 4282886d6174726f736b61')],
  ['video/mp2t', transportStream],
  ['audio/wav', text('RIFF....WAVEfmt ')],
  ['audio/ogg', text('OggS')],
  ['audio/mpeg', text('ID3')],
  ['audio/mpeg', hex('fffb9064')],
  ['audio/aac', hex('fff15080')],
  ['audio/flac', text('fLaC')],
  ['font/woff2', text('wOF2')],
  ['font/ttf', hex('0001000000')],
  ['application/pdf', text('%PDF-1.7')],
  ['application/zip', hex('504b0304 1400')],
  ['application/gzip', hex('1f8b08')],
  ['application/wasm', hex('0061736d 01000000')],
  ['text/html', text('<!DOCTYPE html><title>a</title>')],
  ['text/html', text('  <script>alert(1)</script>')],
  ['application/xml', text('<?xml version="1.0"?><feed/>')],
  ['text/plain', text('Grüße, 世界')],
  ['application/octet-stream', hex('00 01 02 03 fe ff')],
  ['application/octet-stream', hex('c3 28 61 62')],
])('bytes of %s are that, whatever they are called', (type, bytes) => {
  expect(sniffMediaType(bytes, 'application/octet-stream')).toBe(type)
  const called = type === 'application/pdf' ? 'image/png' : 'application/pdf'
  expect(sniffMediaType(bytes, called)).toBe(type)
})

test.each([
  ['text/css; charset=utf-8', text('a { color: red }'), 'text/css'],
  ['text/csv', text('a,b\n1,2\n'), 'text/csv'],
  ['text/markdown', text('<p align="center">Hello</p>'), 'text/markdown'],
  ['text/plain', text('<script>alert(1)</script>'), 'text/plain'],
  ['application/json', text('\n {"a":1}'), 'application/json'],
  ['application/json', text('a: 1'), 'text/plain'],
  ['application/geo+json', text('{}'), 'application/geo+json'],
  ['text/vtt', text('WEBVTT\n'), 'text/vtt'],
  ['text/vtt', text('1\n00:00'), 'text/plain'],
  ['image/svg+xml', text('<html><svg></svg></html>'), 'text/html'],
  ['application/javascript', text('let a'), 'text/javascript'],
  ['text/plain', hex('fffe 6100 6200'), 'text/plain'],
  ['audio/webm', hex('1a45dfa3 9f 42868101 4282847765626d'), 'audio/webm'],
  ['audio/mp4', boxes('isom\0\0\0\0mp42'), 'audio/mp4'],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    hex('504b0304'),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['application/x-secret', hex('00ff00ff'), 'application/octet-stream'],
  ['image/png', text('not a picture'), 'text/plain'],
  ['image/png', new Uint8Array(), 'text/plain'],
])('of what begins alike the name decides: %s', (named, bytes, type) => {
  expect(sniffMediaType(bytes, named)).toBe(type)
})

test('a character that the first bytes cut in two is no fault', () => {
  const bytes = text('é'.repeat(sniffedBytes)).subarray(0, sniffedBytes - 1)
  expect(sniffMediaType(bytes, 'text/plain')).toBe('text/plain')
})

test('any bytes under any name have a type', () => {
  const type = /^[\w.+-]+\/[\w.+-]+$/u
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.string(), (bytes, name) => {
      expect(sniffMediaType(bytes, 'image/png')).toMatch(type)
      expect(typeof sniffMediaType(bytes, name)).toBe('string')
    }),
  )
})

test('a type has one name', () => {
  expect(canonicalType(' Image/JPG; q=1 ')).toBe('image/jpeg')
  expect(canonicalType('text/xml')).toBe('application/xml')
})
