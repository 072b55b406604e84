import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import { readFile } from 'node:fs/promises'

import { packageFile } from '../../../lib/files/program-files.ts'
import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { encodePng, openPixels, type Pixels } from '../encode-still.ts'
import type { MakeStill } from '../still-messages.ts'

/** A page is drawn once for all sizes that are asked for, on white, so that its longer side has so many pixels. */
const longSide = 2000
const shortestSide = 16
/** How far words are gathered that the file is found by. */
const maxTextPages = 10
const maxTextLength = 20_000
/** FPDF_ANNOT and FPDF_REVERSE_BYTE_ORDER of `fpdfview.h`; the latter makes it RGBA. */
const renderFlags = 0x01 | 0x10
const bgra = 4
const white = 0xffffffff
/** FPDF_ERR_PASSWORD. */
const passwordError = 4

/** A page of a PDF, and the words of its first pages, by PDFium. */
export const makePdfStill: MakeStill = async ({ path }, { page = 1 }) => {
  const pdfium = await openPdfium()
  using document = openDocument(pdfium, await readFile(path))
  const pages = pdfium.FPDF_GetPageCount(document.pointer)
  if (pages < 1) throw new Error('no pages')
  if (page > pages)
    return { outcome: 'beyond', target: 'page', has: pages === 1 ? 'one page' : `${pages} pages` }
  const bytes = await encodePng(
    openPixels(drawPage(pdfium, document.pointer, page - 1)).removeAlpha(),
  )
  const text = page === 1 ? textOf(pdfium, document.pointer, pages) : ''
  return { outcome: 'made', bytes, format: 'png', pages, text }
}

async function openPdfium(): Promise<WrappedPdfiumModule> {
  const wasm = await readFile(packageFile('@embedpdf/pdfium/pdfium.wasm'))
  const pdfium = await init({ wasmBinary: Uint8Array.from(wasm).buffer })
  pdfium.PDFiumExt_Init()
  return pdfium
}

function openDocument(pdfium: WrappedPdfiumModule, bytes: Uint8Array) {
  const start = pdfium.pdfium.wasmExports.malloc(bytes.length)
  memoryOf(pdfium).set(bytes, start)
  const pointer = pdfium.FPDF_LoadMemDocument(start, bytes.length, '')
  if (pointer === 0)
    throw pdfium.FPDF_GetLastError() === passwordError
      ? new UnrenderableImageError('forbidden-content', 'must not need a password')
      : new Error('no document')
  return { pointer, [Symbol.dispose]: () => pdfium.FPDF_CloseDocument(pointer) }
}

function drawPage(pdfium: WrappedPdfiumModule, document: number, index: number): Pixels {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) throw new Error('no page')
  const { width, height } = sizeOf(pdfium, page)
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgra, 0, 0)
  if (bitmap === 0) throw new Error('no bitmap')
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags)
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
  const data = memoryOf(pdfium).subarray(start, start + width * height * 4)
  return { data, width, height, channels: 4 }
}

/** All that it has; another one after it has grown. */
const memoryOf = ({ pdfium }: WrappedPdfiumModule): Uint8Array =>
  (pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8

function sizeOf(pdfium: WrappedPdfiumModule, page: number) {
  const width = pdfium.FPDF_GetPageWidthF(page)
  const height = pdfium.FPDF_GetPageHeightF(page)
  if (!(width > 0 && height > 0)) throw new Error('a page without a size')
  const scale = longSide / Math.max(width, height)
  const side = (length: number): number => Math.max(shortestSide, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

/** The words of the first pages, in the order of the file. */
function textOf(pdfium: WrappedPdfiumModule, document: number, pages: number): string {
  const texts: string[] = []
  let length = 0
  for (let index = 0; index < Math.min(pages, maxTextPages) && length < maxTextLength; index += 1) {
    const text = textOfPage(pdfium, document, index)
    texts.push(text)
    length += text.length
  }
  return texts.join(' ').slice(0, maxTextLength)
}

function textOfPage(pdfium: WrappedPdfiumModule, document: number, index: number): string {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) return ''
  const words = pdfium.FPDFText_LoadPage(page)
  const count = Math.min(maxTextLength, Math.max(0, pdfium.FPDFText_CountChars(words)))
  const { wasmExports, UTF16ToString } = pdfium.pdfium
  const start = wasmExports.malloc(2 * (count + 1))
  pdfium.FPDFText_GetText(words, 0, count, start)
  const text = UTF16ToString(start)
  wasmExports.free(start)
  pdfium.FPDFText_ClosePage(words)
  pdfium.FPDF_ClosePage(page)
  return text
}
