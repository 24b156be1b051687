import { CourseThumbnail } from '../../../ui/course-thumbnail.tsx'
import type { CourseCard } from '../schema.ts'

type CoursePictureProps = {
  course: Pick<CourseCard, 'id' | 'thumbnail' | 'category'>
  /** The width it will have, as in the `sizes` attribute. */
  sizes: string
  lazy?: boolean
  /** The largest picture of the first screen. */
  priority?: boolean
  className?: string
}

/** A course's thumbnail in the width that fits, or the one drawn for it. The title stands beside it. */
export function CoursePicture({ course, ...rest }: CoursePictureProps) {
  const { thumbnail, category, id } = course
  return (
    <CourseThumbnail
      src={thumbnail?.medium}
      srcSet={
        thumbnail
          ? `${thumbnail.small} 320w, ${thumbnail.medium} 640w, ${thumbnail.large} 1280w`
          : undefined
      }
      category={category}
      seed={id}
      {...rest}
    />
  )
}
