import { expect, test } from 'bun:test'

import { thumbnailTrack } from './thumbnail-track.ts'

test('each span names its part of the image', () => {
  const track = thumbnailTrack(
    {
      tile: { width: 160, height: 90 },
      columns: 8,
      places: [0, 4],
      spans: [
        { from: 0, to: 59.9996, index: 0 },
        { from: 59.9996, to: 3725.5, index: 9 },
      ],
    },
    '/api/stream/thumbnails?path=a/v1/b/film.mp4&v=1',
  )

  expect(track).toBe(
    [
      'WEBVTT',
      '',
      '00:00:00.000 --> 00:01:00.000',
      '/api/stream/thumbnails?path=a/v1/b/film.mp4&v=1#xywh=0,0,160,90',
      '',
      '00:01:00.000 --> 01:02:05.500',
      '/api/stream/thumbnails?path=a/v1/b/film.mp4&v=1#xywh=160,90,160,90',
      '',
    ].join('\n'),
  )
})
