import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'

/** An image as a page shows it: what was sent for it, and the box that it has, in pixels of the device. */
export interface ShownImage {
  readonly url: string
  readonly contentType: string
  readonly alt: string
  readonly width: number
  readonly height: number
  readonly boxWidth: number
  readonly boxHeight: number
}

interface Measured {
  /** Of the whole visit (Layout Instability API). */
  readonly layoutShift: number
  readonly images: readonly ShownImage[]
}

export interface Screen {
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
}

/** Opens a page and looks at all of it, from its first to its last pixel. */
export async function measurePage(
  browser: Browser,
  url: string,
  { width, height, pixelRatio }: Screen,
): Promise<Measured> {
  await using visit = new AsyncDisposableStack()
  const viewport = { width, height }
  const page = await browser.newPage({ viewport, deviceScaleFactor: pixelRatio })
  visit.defer(() => page.close())
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.addInitScript(watchShifts)
  await page.goto(url)
  await page.waitForFunction(areAllShown)
  const seen = await page.evaluate(look)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const images = await Promise.all(seen.images.map((each) => withSent(page, each)))
  return { layoutShift: seen.layoutShift, images }
}

type Seen = Pick<ShownImage, 'url' | 'alt' | 'boxWidth' | 'boxHeight'>

/** Asks for what the browser has, as it does. */
async function withSent(page: Page, seen: Seen): Promise<ShownImage> {
  const headers = { Accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' }
  const response = await page.request.get(seen.url, { headers })
  const { width, height } = await sharp(await response.body()).metadata()
  return { ...seen, width, height, contentType: response.headers()['content-type'] ?? '' }
}

declare global {
  interface Window {
    layoutShift: number
  }
}

function watchShifts(): void {
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.layoutShift += (entry as PerformanceEntry & { readonly value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Lazy images load once they come near: all are brought there. */
function areAllShown(): boolean {
  const images = [...document.querySelectorAll('img')]
  const next = images.find(({ complete, naturalWidth }) => !complete || naturalWidth === 0)
  next?.scrollIntoView()
  return images.length > 0 && next === undefined
}

function look() {
  const images = [...document.querySelectorAll('img')].map((image) => {
    const { width, height } = image.getBoundingClientRect()
    const boxWidth = width * devicePixelRatio
    return { url: image.currentSrc, alt: image.alt, boxWidth, boxHeight: height * devicePixelRatio }
  })
  return { layoutShift: window.layoutShift, images }
}
