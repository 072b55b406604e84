/**
 * The fields of EXIF that are told, by the directory they stand in, as Exif 3.0 §4.6.5 and §4.6.6 name
 * them. What says where somebody was (the GPS directory, the surroundings of 0x9400 to 0x9405) and what
 * makers keep for themselves is not among them.
 */
const first = `
010e ImageDescription   010f Make               0110 Model              0112 Orientation
011a XResolution        011b YResolution        0128 ResolutionUnit     0131 Software
0132 DateTime           013b Artist             013c HostComputer       0213 YCbCrPositioning
8298 Copyright`

const photograph = `
829a ExposureTime       829d FNumber            8822 ExposureProgram    8824 SpectralSensitivity
8827 PhotographicSensitivity                    8830 SensitivityType    8831 StandardOutputSensitivity
8832 RecommendedExposureIndex                   8833 ISOSpeed           9000 ExifVersion
9003 DateTimeOriginal   9004 DateTimeDigitized  9010 OffsetTime         9011 OffsetTimeOriginal
9012 OffsetTimeDigitized                        9102 CompressedBitsPerPixel
9201 ShutterSpeedValue  9202 ApertureValue      9203 BrightnessValue    9204 ExposureBiasValue
9205 MaxApertureValue   9206 SubjectDistance    9207 MeteringMode       9208 LightSource
9209 Flash              920a FocalLength        9214 SubjectArea        9286 UserComment
9290 SubSecTime         9291 SubSecTimeOriginal 9292 SubSecTimeDigitized
a001 ColorSpace         a002 PixelXDimension    a003 PixelYDimension    a20e FocalPlaneXResolution
a20f FocalPlaneYResolution                      a210 FocalPlaneResolutionUnit
a215 ExposureIndex      a217 SensingMethod      a300 FileSource         a301 SceneType
a401 CustomRendered     a402 ExposureMode       a403 WhiteBalance       a404 DigitalZoomRatio
a405 FocalLengthIn35mmFilm                      a406 SceneCaptureType   a407 GainControl
a408 Contrast           a409 Saturation         a40a Sharpness          a40c SubjectDistanceRange
a420 ImageUniqueID      a430 CameraOwnerName    a431 BodySerialNumber   a432 LensSpecification
a433 LensMake           a434 LensModel          a435 LensSerialNumber   a436 ImageTitle
a437 Photographer       a438 ImageEditor        a439 CameraFirmware     a43a RAWDevelopingSoftware
a43b ImageEditingSoftware                       a43c MetadataEditingSoftware`

const namesOf = (table: string): ReadonlyMap<number, string> => {
  const words = table.trim().split(/\s+/u)
  return new Map(
    words.flatMap((word, at) =>
      at % 2 === 0 ? [[Number.parseInt(word, 16), words[at + 1] ?? ''] as const] : [],
    ),
  )
}

/** Of the first image file directory. */
export const firstTags = namesOf(first)
/** Of the directory that it leads to. */
export const photographTags = namesOf(photograph)
