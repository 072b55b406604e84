/** When which part of which image is shown. */
export interface Cue {
  readonly from: number
  readonly to: number
  readonly url: string
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const cuePattern =
  /^(\d{2,4}):(\d{2}):(\d{2}\.\d{3}) --> (\d{2,4}):(\d{2}):(\d{2}\.\d{3})\n(\S{1,4000})#xywh=(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})$/gmu

/** The cues of a track as the service writes it (WebVTT, with `#xywh=`). */
export function readCues(text: string): readonly Cue[] {
  return [...text.matchAll(cuePattern)].map((match) => {
    const numberAt = (place: number): number => Number(match[place])
    const secondsAt = (place: number): number =>
      (numberAt(place) * 60 + numberAt(place + 1)) * 60 + numberAt(place + 2)
    return {
      from: secondsAt(1),
      to: secondsAt(4),
      url: match[7] ?? '',
      left: numberAt(8),
      top: numberAt(9),
      width: numberAt(10),
      height: numberAt(11),
    }
  })
}
