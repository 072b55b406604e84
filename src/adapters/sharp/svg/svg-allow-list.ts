/**
 * What only draws. Scripts, foreign content, links to follow and animation that sets attributes are
 * not here.
 */
const elements: ReadonlySet<string> = new Set(
  `svg g defs symbol use title desc metadata style switch view
  path rect circle ellipse line polyline polygon image text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
  feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
  feTurbulence`.split(/\s+/u),
)

const attributes: ReadonlySet<string> = new Set(
  `id class style lang xml:lang xml:space tabindex role version baseProfile preserveAspectRatio viewBox
  width height x y x1 x2 y1 y2 cx cy r rx ry fx fy fr dx dy d points pathLength rotate textLength
  lengthAdjust startOffset method spacing side transform transform-origin gradientTransform
  gradientUnits spreadMethod offset patternContentUnits patternTransform patternUnits clipPathUnits
  maskContentUnits maskUnits markerHeight markerUnits markerWidth orient refX refY filterUnits
  primitiveUnits in in2 result mode type values tableValues slope intercept amplitude exponent operator
  k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha
  surfaceScale diffuseConstant specularConstant specularExponent scale xChannelSelector
  yChannelSelector azimuth elevation stdDeviation radius limitingConeAngle pointsAtX pointsAtY
  pointsAtZ z baseFrequency numOctaves seed stitchTiles media systemLanguage requiredExtensions
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
  color-interpolation-filters color-rendering direction display dominant-baseline fill fill-opacity
  fill-rule filter flood-color flood-opacity font font-family font-size font-size-adjust font-stretch
  font-style font-variant font-weight image-rendering isolation letter-spacing lighting-color
  marker-end marker-mid marker-start marker mask mask-type mix-blend-mode opacity overflow paint-order
  shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
  text-rendering unicode-bidi vector-effect visibility word-spacing writing-mode`.split(/\s+/u),
)

const namespaces: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
}

export const isKnownElement = (name: string): boolean => elements.has(name)

/** A namespace may only be the one that its name stands for: another makes harmless names harmful. */
export const isKnownAttribute = (name: string, value: string): boolean =>
  attributes.has(name) || namespaces[name] === value || /^aria-[a-z]+$/u.test(name)

/** Into the SVG itself; images may also be bitmaps that come along. */
export function isLocalLink(element: string, value: string): boolean {
  const link = value.trim()
  if (link.startsWith('#')) return true
  const takesBitmap = element === 'image' || element === 'feImage'
  return takesBitmap && /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]*$/iu.test(link)
}

/**
 * Whether CSS stays inside the SVG. Escapes could spell anything, so none is let through; comments
 * could split a word.
 */
export function isHarmlessCss(css: string): boolean {
  if (
    /\\|\/\*|@import|@namespace|@charset|expression|javascript:|-moz-binding|behavior\s*:/iu.test(
      css,
    )
  )
    return false
  if (/image-set|\bimage\(|\bsrc\s*:/iu.test(css)) return false
  for (const [, link] of css.matchAll(/url\(\s*["']?\s*([^"')]*)/giu))
    if (!(link ?? '').startsWith('#')) return false
  return true
}
