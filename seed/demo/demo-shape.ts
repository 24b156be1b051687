import type { Category, levels } from '../../src/domains/courses/rules.ts'

/** `text` is read by `demoText`: blank lines part paragraphs, '## ' and '- ' start headings and items. */
interface DemoLesson {
  title: string
  text: string
  links?: { title: string; url: string; description?: string }[]
}

interface DemoCourse {
  title: string
  shortDescription: string
  description: string
  category: Category
  level: (typeof levels)[number]
  chapters: { title: string; lessons: DemoLesson[] }[]
}

export interface DemoCreator {
  name: string
  bio: string
  verified?: boolean
  courses: DemoCourse[]
}
