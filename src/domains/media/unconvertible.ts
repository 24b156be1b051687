import { maxSeconds } from './video-ladder.ts'

/** A video that stays as it was uploaded. The message is for its creator. */
export class Unconvertible extends Error {}

const asItIs =
  'Browsers that know its format play it as you uploaded it; MP4 with H.264 plays everywhere.'

const because = (why: string) => `This video could not be converted: ${why}. ${asItIs}`

const clock = (seconds: number) => {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  return `${hours > 0 ? `${hours}:${two((seconds / 60) % 60)}` : Math.floor(seconds / 60)}:${two(seconds % 60)}`
}

/** Why a video could not be converted. */
export const whyNot = {
  noPictures: because('it has no pictures, or none in a format that this server knows'),
  unreadable: because('parts of the file cannot be read'),
  noLength: because('it has no length'),
  tooLong: because(`it is longer than ${maxSeconds / 3600} hours`),
  tooLarge: because('its picture is larger than 8192 × 4320 pixels'),
  wrongShape: because('its picture is too small or too narrow'),
  tooSlow: because('it took longer than this server allows'),
  tooMuch: because('what became of it was too large'),
  incomplete: (found: number, declared: number) =>
    `This video file seems to be incomplete: only the first ${clock(found)} of ${clock(declared)} can be read. Please export it again and upload the new file.`,
  diskFull: `${because('the server has too little free space at the moment')} Please try again later.`,
  gaveUp: `${because('the conversion stopped in the middle, three times')} You can try again.`,
} as const
