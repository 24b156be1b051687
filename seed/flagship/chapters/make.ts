import type { FlagshipChapter } from '../course-shape.ts'
import { a, b, code, doc, h2, h3, i, ol, p, s, ul } from '../rich-text.ts'

export const makeChapter: FlagshipChapter = {
  title: 'Make the lessons',
  lessons: [
    {
      title: 'Set up your course',
      content: doc(
        p(
          'Open the menu behind the Thunder logo and choose ',
          a('/create-course', 'Create Course'),
          '. The first step, ',
          b('Course Information'),
          ', takes about ten minutes with your outline beside you.',
        ),
        h2('Fill in the form'),
        h3('Title'),
        p(
          'Your promise in a few words, starting with a verb if you can. The title also makes the ' +
            'address of your page:',
        ),
        code('Fix a Flat at the Roadside\n/course/fix-a-flat-at-the-roadside'),
        p('Settle it before you give the link to anybody.'),
        h3('Short description'),
        p(
          'One or two sentences: who it is for and what they can do afterwards. It stands beside ' +
            'your picture wherever the course is listed, so it has to work alone.',
        ),
        h3('Description'),
        p('The full answer to “should I take this?”, in this order:'),
        ol([
          'Who it is for, and what they can do at the end.',
          'What is inside, in a sentence or two.',
          'What they need: tools, time, things to know already.',
          'What it does not cover. This is the line that makes people believe the others.',
        ]),
        h3('Category'),
        p('Choose the one where your learner would look, even if another sounds grander.'),
        h3('Thumbnail'),
        p(
          'A PNG, JPG or GIF of up to 10 MB. One object, close up, without text in the picture. ' +
            'Look at it at the size of a postage stamp: that is how most people meet it. For the ' +
            'flat tire, a hand holding a tube says more than a whole bicycle.',
        ),
        h3('Price'),
        p(
          'Choose free for this one. The lesson ',
          i('Publish it free'),
          ' explains why that is the quickest way to a good course.',
        ),
        h2('Then copy your outline'),
        p(
          'The next page is the ',
          b('Course Structure'),
          '. Press ',
          b('Add Chapter'),
          ' for each chapter, add its lessons with nothing but their titles, and press ',
          b('Save Changes'),
          '. Two things to know:',
        ),
        ul([
          'A chapter or a lesson without a title is not kept when you save.',
          'What you saved is a draft. Nobody else sees it until you publish it.',
        ]),
        p('Now you have a course with empty rooms. The next lessons furnish them.'),
      ),
      links: [
        {
          title: 'Create a course',
          url: '/create-course',
          description: 'Step 1: title, descriptions, category, thumbnail and price.',
        },
        {
          title: 'Explore courses',
          url: '/explore',
          description: 'See how other titles and pictures look in the list yours will join.',
        },
      ],
    },
    {
      title: 'Write a lesson people can follow',
      content: doc(
        p(
          'Good lessons are dull to invent and pleasant to use, because they all have the same ' +
            'shape. Take this one:',
        ),
        ol([
          [b('The result.'), ' One sentence: what you can do at the end of this lesson.'],
          [b('What to have ready.'), ' So that nobody has to stop halfway to find a tool.'],
          [b('The steps.'), ' Numbered. One action each.'],
          [b('How to tell it worked.'), ' What you see, hear or feel when it is right.'],
          [b('If it did not.'), ' The one mistake that most people make, and the way out.'],
        ]),
        h2('Write to one person'),
        p('Put the learner from your promise across the table. Say “you” and start with the verb.'),
        ul([
          [
            s(
              'It is important to note that tire levers should be inserted at a suitable position ' +
                'prior to removal.',
            ),
          ],
          [
            'Push the first lever under the edge of the tire, opposite the valve. Hook its other ' +
              'end on a spoke.',
          ],
        ]),
        p('Three habits do most of the work:'),
        ul([
          [b('Numbers with units.'), ' “Pump it to 60 psi” instead of “pump it up well”.'],
          [
            b('What they will see.'),
            ' “The edge pops over the rim with a snap. That is normal.” People stop where they ' +
              'think that something broke.',
          ],
          [
            b('No “simply”, “just” or “obviously”.'),
            ' To somebody who is stuck, those words say that it is their fault.',
          ],
        ]),
        h2('Use each format for its job'),
        ul([
          'Headings, so that people who come back find their place.',
          'A numbered list when the order matters, a bullet list when it does not.',
          'Bold for what hurts if it is missed. More than two bold phrases in a step, and none is.',
          'A quote for somebody else’s words.',
          'A code block for anything that must be copied character by character.',
        ]),
        p(
          'Avoid pasting whole pages from elsewhere. If somebody explained it better, add a link ' +
            'and say what to look for.',
        ),
        h2('Read it aloud'),
        p(
          'Where you run out of breath, make two sentences. Where you skip a word, delete it. ' +
            'Between 150 and 400 words is plenty for most lessons. If one needs 900, it is three.',
        ),
        p('Write one lesson now, the easiest. Save it, then come back for the camera.'),
      ),
      links: [],
    },
    {
      title: 'Record with your phone',
      content: doc(
        p(
          'The phone in your pocket is good enough. What separates a video that people finish ' +
            'from one they leave is mostly sound and length, and both are free.',
        ),
        h2('Sound first'),
        ul([
          'Choose the smallest room with the most soft things in it. A bedroom beats a kitchen.',
          'Close the window and switch off whatever hums.',
          'Keep the phone within an arm’s length, or wear earbuds that have a microphone.',
          'Record ten seconds and listen to them on headphones before you record ten minutes.',
        ]),
        h2('Then light and picture'),
        ul([
          'Face a window. A window behind you turns you into a shadow.',
          'Wipe the lens. Lay the phone on its side, so that the picture is wide.',
          'For a face, put the lens at eye height on a stack of books.',
          'For hands, film over your own shoulder: show what the learner will see, not what an ' +
            'audience would.',
        ]),
        h2('Two settings to change once'),
        ul([
          [
            b('720p at 30 frames'),
            ' is sharp enough for faces and hands, and the file stays small.',
          ],
          [
            b('On an iPhone'),
            ', choose ',
            i('Settings, Camera, Formats, Most Compatible'),
            '. Then the video plays in every browser.',
          ],
        ]),
        p('Switch on airplane mode before each take. Otherwise the best one ends with a call.'),
        h2('Say it, do it, show it'),
        p(
          'Do not read a script. Stick a note with three points beside the lens: what we are going ' +
            'to do, the step where people slip, what it looks like when it is right. Begin with ' +
            'the first useful sentence. Nobody needs a logo or a welcome back.',
        ),
        p(
          'If you stumble, stay quiet for two seconds and say that sentence again. The pause makes ' +
            'the place easy to find when you trim. And if something goes wrong with the tire, ' +
            'keep filming: seeing you fix it is worth more than a clean take.',
        ),
        h2('Do this now'),
        p(
          'Record the easiest lesson of your outline first, not the first one. Your opening lesson ' +
            'deserves you when you are warmed up. Stay under six minutes. Watch it once, without ' +
            'mercy for the beginning and with plenty for the rest.',
        ),
      ),
      links: [],
    },
    {
      title: 'Record your screen',
      content: doc(
        p(
          'If your course happens on a computer, the screen is your workbench. A budget in a ' +
            'spreadsheet, a photo being edited, a melody being arranged: film the work, and talk ' +
            'while you do it.',
        ),
        h2('Tidy up first'),
        ul([
          'Close everything that the lesson does not need and turn notifications off.',
          [
            b('Use made-up data.'),
            ' No customers, no addresses, no passwords. A video cannot be skimmed for secrets ' +
              'afterwards.',
          ],
          'Make the text bigger: 150 percent in the browser is a good start. Many people will ' +
            'watch on a phone.',
          'Use a window in the shape of the video, wide and not tall, and leave the rest out.',
        ]),
        h2('Tools that you already have'),
        ul([
          [b('macOS:'), ' press Shift, Command and 5.'],
          [b('Windows 11:'), ' open Snipping Tool and choose the video camera.'],
          [b('Linux with GNOME:'), ' press Print Screen and choose the video camera.'],
          [
            b('Everywhere:'),
            ' ',
            a('https://obsproject.com', 'OBS Studio'),
            ' is free, and records the screen and your camera together.',
          ],
        ]),
        p('Use the same microphone and the same quiet room as for the phone. Sound still decides.'),
        h2('While you record'),
        ol([
          'Begin with the finished thing on the screen: “This is what we will have in four minutes.”',
          'Say what you are going to click before you click it.',
          'Move the pointer slowly, then leave it still. Circles make people seasick.',
          'After every change on the screen, wait for a second. You know where to look. They do not.',
          'Do one task, from the empty screen to the result.',
        ]),
        h2('What to leave in'),
        p(
          'A typing mistake that you notice and correct can stay. It shows how you notice. A ' +
            'minute of waiting for a download can go. Stop the recording and go on with a second ' +
            'one, or cut it later.',
        ),
        p(
          'Write the shortcut keys and the menu path in the text of the lesson as well. People ' +
            'watch once and look up ten times.',
        ),
      ),
      links: [
        {
          title: 'OBS Studio',
          url: 'https://obsproject.com',
          description: 'Free recorder for macOS, Windows and Linux.',
        },
      ],
    },
    {
      title: 'Upload your video and add links',
      content: doc(
        p(
          'You have a recording. Three small jobs are left: make it lighter, put it in its lesson, ' +
            'and give people somewhere to go next.',
        ),
        h2('Trim and shrink'),
        p(
          'Cut the seconds before your first useful sentence and after your last. The photo app of ' +
            'your phone or computer can do that. Then look at the size. A video may have up to ' +
            '50 MB, unless the people who run this Thunder chose another limit. As a rough guide, ' +
            'a face at 720p takes 10 to 15 MB a minute and a screen recording takes less.',
        ),
        p(
          'If yours is too big, open it in ',
          a('https://handbrake.fr', 'HandBrake'),
          ', choose the preset ',
          i('Fast 720p30'),
          ' and save it as MP4. If you like the command line, this does the same:',
        ),
        code(
          'ffmpeg -i take.mov \\\n' +
            '  -vf scale=-2:720 -r 30 \\\n' +
            '  -c:v libx264 -crf 24 \\\n' +
            '  -pix_fmt yuv420p \\\n' +
            '  -c:a aac -b:a 128k \\\n' +
            '  -movflags +faststart \\\n' +
            '  lesson.mp4',
        ),
        p('An MP4 made like this plays on every phone and in every browser.'),
        h2('Upload it'),
        ol([
          'Open your course for editing, then the lesson, and choose the file.',
          'Watch the bar. It shows what has really arrived. If the connection drops or the page ' +
            'reloads, the upload carries on where it stopped.',
          [
            'Press ',
            b('Save Changes'),
            ' when the bar is done. While an upload is still running, saving waits for it.',
          ],
        ]),
        p(
          'Only you and the members of your course can open the video. A copied address does not ' +
            'work for anybody else.',
        ),
        h2('Write the steps under it'),
        p(
          'Put the steps into the text as well, in a few lines. Somebody on a train without ' +
            'headphones, somebody who cannot hear and somebody who is back for step four all ' +
            'need them.',
        ),
        h2('Add two or three links'),
        p(
          'Links stand below the lesson under ',
          b('Additional Resources'),
          ' and open in a new tab. Give each a title that says what it is, and a description that ' +
            'says when to open it: “Valve types with photos. Use it if yours looks different from ' +
            'mine.” Twelve links are a pile. Two are advice.',
        ),
      ),
      links: [
        {
          title: 'HandBrake',
          url: 'https://handbrake.fr',
          description: 'Free program that makes video files smaller. Use it when yours is too big.',
        },
      ],
    },
  ],
}
