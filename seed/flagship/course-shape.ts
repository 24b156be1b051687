import type { Category, levels } from '../../src/domains/courses/rules.ts'
import type { RichText } from '../../src/domains/lessons/rich-text.ts'

/** `url` is a path of this product or an https address. */
type FlagshipLink = { title: string; url: string; description: string }

type FlagshipLesson = {
  title: string
  content: RichText
  /** Names `<video>.mp4` and its poster `<video>.jpg` in this folder. */
  video?: 'welcome'
  links: FlagshipLink[]
}

export type FlagshipChapter = { title: string; lessons: FlagshipLesson[] }

export type FlagshipCourse = {
  title: string
  shortDescription: string
  descriptionDoc: RichText
  category: Category
  level: (typeof levels)[number]
  chapters: FlagshipChapter[]
}
