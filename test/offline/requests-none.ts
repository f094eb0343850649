/** Nothing fits, or what fits would change something that nobody asked to change. */
import { asked, type Entry } from "./table.ts";

export const noneRequests: readonly Entry[] = [
  asked("Tell me a joke about compilers"),
  asked("What's the capital of Mongolia?"),
  asked("Who won the world cup in 1998?"),
  asked("Thanks, that was really helpful!"),
  asked("How do I delete a file in Linux?"),
  asked("Translate 'good morning' into Spanish"),
  asked("delete src/parser.ts"),
  asked("Rename notes.txt to old.txt"),
  asked("Book a table for two at Luigi's tonight"),
  asked("Should I write to README.md?"),
  asked("send her the file"),
  asked("The file notes.txt was written yesterday by Ann."),
  asked("Is it a good idea to change 'port' to 'ports' in config/app.yaml?"),
  asked('don\'t send a mail to lea@example.org with the subject "hi" and the text "hi"'),
  asked('If the tests fail, mail bob@example.org with the subject "broken" and the text "see above"'),
  asked("write a haiku about the sea"),
  asked("what was changed in the living room last week?"),
  asked("remind me to call mum at 18:00"),
];
