// Pure decisions about files: which ones are accepted, what to say otherwise, where they are found.

/**
 * `import` is a course file, a ZIP that becomes a course and is then deleted. What begins with `post_` stands
 * in the community of a course, for its members.
 */
export type Purpose = 'video' | PicturePurpose | 'import' | PostPurpose
export type PostPurpose = 'post_image' | 'post_video'
/** Of pictures that everybody may see, cut to a shape. */
export type PicturePurpose = 'thumbnail' | 'avatar' | 'course_logo' | 'course_cover'
type VideoPurpose = 'video' | 'post_video'

export const isVideo = (purpose: Purpose): purpose is VideoPurpose =>
  purpose === 'video' || purpose === 'post_video'

export const isPostPurpose = (purpose: Purpose): purpose is PostPurpose =>
  purpose === 'post_image' || purpose === 'post_video'

/** What a browser may call a video that we accept (spec 2, section 5). */
const videoTypes = [
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/avi',
  'video/mov',
  'video/quicktime',
  'video/x-msvideo',
  'video/3gpp',
  'video/x-ms-wmv',
]
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const zipTypes = ['application/zip', 'application/x-zip-compressed', 'application/x-zip']

/** For files whose type the browser does not know, which depends on the programs a person has. */
const typeByEnding: Record<string, string> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'video/ogg',
  ogv: 'video/ogg',
  avi: 'video/avi',
  mov: 'video/quicktime',
  '3gp': 'video/3gpp',
  wmv: 'video/x-ms-wmv',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  zip: 'application/zip',
}

/** Other names for what we accept: to Chromium whatever ends in .ogg is sound, and the bytes decide anyway. */
const otherNames: Record<string, string> = {
  'audio/ogg': 'video/ogg',
  'application/ogg': 'video/ogg',
  'video/vnd.avi': 'video/x-msvideo',
  'video/x-m4v': 'video/mp4',
}

const endings = (kind: string) =>
  Object.entries(typeByEnding)
    .filter(([, type]) => type.startsWith(kind))
    .map(([ending]) => `.${ending}`)

const acceptedVideos = [...videoTypes, ...endings('video/')].join(',')
const acceptedImages = [...imageTypes, ...endings('image/')].join(',')

/** For the `accept` attribute of a file picker. */
export const acceptedFiles: Record<Purpose, string> = {
  video: acceptedVideos,
  thumbnail: acceptedImages,
  avatar: acceptedImages,
  course_logo: acceptedImages,
  course_cover: acceptedImages,
  import: [...zipTypes, '.zip'].join(','),
  post_image: acceptedImages,
  post_video: acceptedVideos,
}

export const imageMaxMb: Record<PicturePurpose | 'post_image', number> = {
  thumbnail: 10,
  avatar: 5,
  course_logo: 5,
  course_cover: 10,
  post_image: 10,
}
export const imageMaxPixels = 40_000_000

/** What is made of an uploaded picture: its widths in pixels, and its width divided by its height. */
export const pictureShapes: Record<PicturePurpose, { widths: readonly number[]; ratio: number }> = {
  thumbnail: { widths: [320, 640, 1280], ratio: 16 / 9 },
  avatar: { widths: [96, 256], ratio: 1 },
  course_logo: { widths: [96, 256], ratio: 1 },
  course_cover: { widths: [640, 1280, 1920], ratio: 3 },
}

/** Pixels within which the versions of a post's picture fit. They are never enlarged, nor cut. */
const postImageWidths = [480, 960, 1920] as const
/** WebP has no more than 16,383. */
const postImageHeight = 16_000

/**
 * The versions of a picture of this size, smallest first. `name` is the width that each fits in, so the first
 * is always called the same.
 */
export function postImageVersions(size: { width: number; height: number }) {
  const versions: { name: number; width: number; height: number }[] = []
  for (const name of postImageWidths) {
    const scale = Math.min(1, name / size.width, postImageHeight / size.height)
    const width = Math.max(1, Math.round(size.width * scale))
    const height = Math.max(1, Math.round(size.height * scale))
    if (width > (versions.at(-1)?.width ?? 0)) versions.push({ name, width, height })
  }
  return versions
}

/** Of one who is in a course and shows this picture there: members only. */
export const postImageUrl = (mediaId: string, name: number = postImageWidths[0]) =>
  `/storage/v1/post-images/${mediaId}/${name}.webp`

/** Files for posts that one person may begin to upload within 24 hours. */
export const postFilesPerDay: Record<PostPurpose, number> = { post_image: 100, post_video: 10 }

/** Days after which an upload that was never finished is removed. */
export const unfinishedDays = 7
export const unfinishedPerPerson = 20

export const problems = {
  videoType: 'Please upload a valid video file (MP4, WebM, OGG, AVI, MOV, QuickTime)',
  videoDamaged:
    'This video file is damaged or incomplete. Please export it again and upload the new file.',
  videoFailed: 'Failed to upload video. Please try again.',
  imageType: 'Please upload an image file (PNG, JPG, GIF or WebP)',
  imagePixels: `This image is too large. Please upload an image of at most ${imageMaxPixels / 1_000_000} megapixels.`,
  imageDamaged: 'This image file is damaged. Please save it again and upload the new file.',
  imageFailed: 'Failed to upload file after multiple attempts',
  importType: 'Please choose a course file: the ZIP that “Export” gave you.',
  importFailed: 'Failed to upload the course file. Please try again.',
  empty: 'This file is empty. Please choose another one.',
  postImages: `You have uploaded ${postFilesPerDay.post_image} images for posts in the last 24 hours.`,
  postVideos: `You have uploaded ${postFilesPerDay.post_video} videos for posts in the last 24 hours.`,
  noRoom:
    'The server has no room left. What was sent is kept: please try again when there is room.',
  tooManyUnfinished: `You have ${unfinishedPerPerson} unfinished uploads. Please finish or cancel one of them first; what is not finished after ${unfinishedDays} days is removed.`,
} as const

/** Where an upload failed and nobody can say why. */
export function generalProblem(purpose: Purpose): string {
  if (isVideo(purpose)) return problems.videoFailed
  return purpose === 'import' ? problems.importFailed : problems.imageFailed
}

const tooLarge = (what: 'Video' | 'Image' | 'Course', maxMb: number) =>
  `${what} file is too large. Please upload a file smaller than ${maxMb}MB.`

export const bytesPerMb = 1024 * 1024

type DeclaredFile = { name: string; type: string; size: number }

function declaredType(file: { name: string; type: string }): string {
  const type = file.type.toLowerCase().replace(/;.*/s, '').trim()
  if (type !== '' && type !== 'application/octet-stream') return otherNames[type] ?? type
  return typeByEnding[file.name.toLowerCase().replace(/^.*\./s, '')] ?? ''
}

export type FileProblem = { kind: 'type' | 'size' | 'empty'; message: string }

/** What a file for a purpose is called, may be, and is told when it is not. */
function expected(purpose: Purpose) {
  if (isVideo(purpose))
    return { what: 'Video' as const, types: videoTypes, problem: problems.videoType }
  if (purpose === 'import')
    return { what: 'Course' as const, types: zipTypes, problem: problems.importType }
  return { what: 'Image' as const, types: imageTypes, problem: problems.imageType }
}

/**
 * Why a file of this name, type and size is not accepted; null when it is. What the bytes really are
 * is for the server to find out. `settingMb` is the limit that this Thunder sets for videos or imports;
 * pictures have the same one everywhere.
 */
export function fileProblem(
  purpose: Purpose,
  file: DeclaredFile,
  settingMb: number,
): FileProblem | null {
  const { what, types, problem } = expected(purpose)
  if (!types.includes(declaredType(file))) return { kind: 'type', message: problem }
  const maxMb = isVideo(purpose) || purpose === 'import' ? settingMb : imageMaxMb[purpose]
  if (file.size > maxMb * bytesPerMb) return { kind: 'size', message: tooLarge(what, maxMb) }
  return file.size === 0 ? { kind: 'empty', message: problems.empty } : null
}

/** The address of an uploaded avatar; it is there in 96 pixels as well. */
export const avatarUrl = (mediaId: string) => `/storage/v1/images/${mediaId}/256.webp`
