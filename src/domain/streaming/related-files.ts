/** What may follow the name of a video to name the same video in another size, e.g. `name_720p.mp4`. */
const renditionLabels = [
  '4320p',
  '2160p',
  '1440p',
  '1080p',
  '720p',
  '576p',
  '540p',
  '480p',
  '432p',
  '360p',
  '288p',
  '270p',
  '240p',
  '180p',
  '144p',
  '90p',
] as const

/** ISO 639-1, and the regions and scripts that subtitles are usually told apart by. */
const languages =
  'aa ab af am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu en-AU en-GB en-US es-419 es-ES es-MX fr-CA fr-FR pt-BR pt-PT sr-Cyrl sr-Latn zh-CN zh-HK zh-Hans zh-Hant zh-TW'.split(
    ' ',
  )

export interface RelatedFile {
  readonly path: string
  /** The size of a rendition, or the language of subtitles (`und` where the name has none). */
  readonly label: string
}

/** Where other sizes of a video would be stored. */
export function renditionNames(path: string): readonly RelatedFile[] {
  const { stem, extension } = split(path)
  return renditionLabels.map((label) => ({ path: `${stem}_${label}${extension}`, label }))
}

/** Where WebVTT subtitles of a video would be stored: `name.en.vtt`, `name_en.vtt`, or `name.vtt`. */
export function subtitleNames(path: string): readonly RelatedFile[] {
  const { stem } = split(path)
  return [
    { path: `${stem}.vtt`, label: 'und' },
    ...languages.flatMap((label) => [
      { path: `${stem}.${label}.vtt`, label },
      { path: `${stem}_${label}.vtt`, label },
    ]),
  ]
}

/** Where all that would be. */
export const relatedPaths = (path: string): readonly string[] =>
  [...renditionNames(path), ...subtitleNames(path)].map((file) => file.path)

function split(path: string): { readonly stem: string; readonly extension: string } {
  const dot = path.lastIndexOf('.')
  return { stem: path.slice(0, dot), extension: path.slice(dot) }
}
