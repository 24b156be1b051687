/** Nothing can be made of this file. The message is for the person who sent it. */
export class UnusableCourseFile extends Error {}
