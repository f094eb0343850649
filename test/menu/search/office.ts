/** Tools of five services that people work with, one a line: name, what it does, parameters. */
export const office = `
mail_send_message | Sends an email to one or more people. | to: Addresses of the recipients; subject: Subject line; body: Text of the message; cc: Addresses that get a copy
mail_reply | Replies to the sender of a message, or to everybody on it. | messageId: Message to reply to; body: Text; replyAll: Answer everybody
mail_forward | Forwards a message to other people. | messageId: Message to pass on; to: Addresses
mail_search | Searches the mailbox by sender, subject, date or text. | query: What to look for; from: Sender; after: Earliest date; hasAttachment: Only messages with files
mail_get_message | Reads one message with its headers and its text. | messageId: Message to read
mail_list_unread | Lists the messages in the inbox that have not been read yet. | limit: How many
mail_archive | Moves messages out of the inbox into the archive. | messageIds: Messages
mail_trash | Deletes messages: they stay in the bin for thirty days. | messageIds: Messages
mail_mark_spam | Reports messages as junk and blocks their sender. | messageIds: Messages
mail_add_label | Puts a label on a message. | messageId: Message; label: Name of the label
mail_create_label | Creates a label to sort mail with. | name: Name; color: Colour
mail_create_filter | Creates a rule that sorts incoming mail automatically. | condition: Which messages; action: What happens to them
mail_download_attachment | Saves a file that came with a message. | messageId: Message; attachmentId: File; path: Where to save it
mail_create_draft | Writes a message without sending it, to be finished later. | to: Addresses; subject: Subject line; body: Text
mail_schedule_send | Sends a draft at a later time. | draftId: Draft; at: Date and time
mail_undo_send | Takes back a message that was sent in the last few seconds. | messageId: Message
mail_set_signature | Sets the text that stands at the end of each email you write. | text: Signature
mail_set_vacation_reply | Turns on an automatic answer while you are out of office. | message: Text of the answer; start: First day; end: Last day
mail_unsubscribe | Takes you off a mailing list or newsletter. | messageId: A message of the list
mail_list_contacts | Lists people in the address book with their email addresses and phone numbers. | query: Part of a name
calendar.createEvent | Adds a meeting or an appointment to a calendar. | title: Title; start: Begin; end: End; attendees: People to invite; location: Place
calendar.updateEvent | Changes an event: its time, place, title or guests. | eventId: Event; start: New begin; end: New end
calendar.cancelEvent | Cancels an event and tells the guests. | eventId: Event; message: Note to the guests
calendar.listEvents | Lists the events between two dates. | from: First day; to: Last day; calendarId: Calendar
calendar.getEvent | Shows one event with guests, place and notes. | eventId: Event
calendar.findFreeTime | Finds a time at which all of the given people are available. | people: Attendees; minutes: Duration; within: Range of dates
calendar.respondToInvite | Accepts or declines an invitation, or says maybe. | eventId: Event; answer: accept, decline or tentative
calendar.addReminder | Sets an alert some minutes before an event. | eventId: Event; minutesBefore: Minutes
calendar.inviteGuests | Adds people to an event that exists already. | eventId: Event; guests: Addresses
calendar.removeGuest | Takes a person off the guest list of an event. | eventId: Event; guest: Address
calendar.makeRecurring | Repeats an event daily, weekly, monthly or yearly. | eventId: Event; rule: How often; until: Last date
calendar.bookRoom | Reserves a meeting room in the office. | room: Room; start: Begin; end: End; seats: Number of people
calendar.listRooms | Lists meeting rooms with their size and equipment. | building: Building; seats: At least so many
calendar.setWorkingHours | Says on which days and at which hours you work. | days: Days of the week; from: Begin; to: End
calendar.createCalendar | Makes a new calendar beside the main one. | name: Name; timeZone: Time zone
calendar.shareCalendar | Lets another person see or change your calendar. | calendarId: Calendar; person: Address; role: reader or writer
calendar.importFile | Reads events from an ICS file. | path: File; calendarId: Where they go
calendar.exportFile | Writes a calendar to an ICS file. | calendarId: Calendar; path: File
calendar.getHolidays | Lists the public holidays of a country in a year. | country: Country; year: Year
calendar.setTimeZone | Changes the time zone in which the calendar is shown. | timeZone: Name of the zone
drive-upload | Uploads a file from this computer to the cloud storage. | path: File; folderId: Folder; name: Name in the storage
drive-download | Downloads a file from the cloud storage to this computer. | fileId: File; path: Where to
drive-list-folder | Lists files and folders inside of a folder. | folderId: Folder; order: Sort order
drive-search | Finds documents by their name or their content. | query: Words; type: Kind of file; owner: Who owns it
drive-create-folder | Makes a folder. | name: Name; parentId: Folder around it
drive-move | Puts a file into another folder. | fileId: File; folderId: Target
drive-rename | Gives a file another name. | fileId: File; name: New name
drive-copy | Duplicates a file. | fileId: File; name: Name of the copy
drive-delete | Removes a file for good. | fileId: File
drive-restore-version | Brings back an earlier version of a document. | fileId: File; versionId: Version
drive-list-versions | Shows the history of changes of a document. | fileId: File
drive-share-link | Makes a link through which anybody can open a file. | fileId: File; role: viewer, commenter or editor; expires: Last day
drive-grant-access | Gives a person permission to read or edit a file. | fileId: File; person: Address; role: viewer or editor
drive-revoke-access | Withdraws a person's permission on a file. | fileId: File; person: Address
drive-add-comment | Writes a comment in a document. | fileId: File; text: Comment; range: Where in the text
drive-convert-pdf | Converts a document to PDF. | fileId: File
drive-storage-quota | Tells how much space is used and how much is left. |
drive-star | Marks a file as a favourite. | fileId: File
drive-create-spreadsheet | Creates an empty table with rows and columns. | title: Title; columns: Headings
drive-append-row | Writes a row at the end of a spreadsheet. | spreadsheetId: Spreadsheet; values: Cells
chat_post_message | Posts a message in a channel. | channel: Channel; text: Message
chat_send_direct | Sends a private message to one colleague. | user: Person; text: Message
chat_reply_thread | Answers in the thread under a message. | channel: Channel; threadId: Thread; text: Answer
chat_edit_message | Changes the text of a message that was posted. | messageId: Message; text: New text
chat_delete_message | Removes a message from a channel. | messageId: Message
chat_add_reaction | Reacts to a message with an emoji. | messageId: Message; emoji: Emoji
chat_pin_message | Pins a message to the top of a channel. | messageId: Message
chat_search_messages | Searches what was written in all channels. | query: Words; from: Author; channel: Channel
chat_channel_history | Reads the latest messages of a channel. | channel: Channel; limit: How many
chat_create_channel | Opens a new channel. | name: Name; private: Only for members
chat_archive_channel | Closes a channel that is not needed any more. | channel: Channel
chat_invite_to_channel | Adds members to a channel. | channel: Channel; users: People
chat_kick_from_channel | Removes a member from a channel. | channel: Channel; user: Person
chat_set_topic | Changes the topic that stands above a channel. | channel: Channel; topic: Text
chat_set_status | Sets your own status text and emoji. | text: Status; emoji: Emoji; until: When it is cleared
chat_snooze_notifications | Pauses notifications for a while (do not disturb). | minutes: How long
chat_user_presence | Says whether a colleague is online or away. | user: Person
chat_start_call | Starts a voice or video call with people of a channel. | channel: Channel; video: With camera
chat_create_poll | Asks the members of a channel a question with several answers to vote on. | channel: Channel; question: Question; options: Answers
chat_remind | Sends you a message at a time of your choice so that you do not forget. | text: What about; at: When
crm.contact.create | Adds a person to the customer database. | name: Name; company: Company; email: Address; phone: Phone number
crm.contact.update | Changes the data of a customer. | contactId: Person; fields: What changes
crm.contact.search | Looks up customers by name, company or address. | query: Words
crm.contact.merge | Joins two records of the same person into one. | keepId: Record that stays; otherId: Record that goes
crm.contact.delete | Erases a person's data, as privacy law asks for. | contactId: Person
crm.company.create | Adds a company. | name: Name; industry: Line of business; size: Employees
crm.deal.create | Opens a sales opportunity with a customer. | title: Title; amount: Expected value; closeDate: Expected end
crm.deal.move | Moves a deal to another stage of the pipeline. | dealId: Deal; stage: Stage
crm.deal.win | Marks a deal as won. | dealId: Deal
crm.deal.lose | Marks a deal as lost and says why. | dealId: Deal; reason: Reason
crm.deal.list | Lists open deals by owner and stage. | owner: Seller; stage: Stage
crm.note.add | Writes a note on a customer. | contactId: Person; text: Note
crm.call.log | Records that a phone call with a customer took place. | contactId: Person; minutes: Length; summary: What was said
crm.task.create | Creates a follow-up for a seller. | contactId: Person; due: Until when; text: What to do
crm.lead.import | Reads leads from a CSV file. | path: File
crm.lead.qualify | Decides whether a lead is worth pursuing, by score. | leadId: Lead
crm.report.forecast | Estimates the revenue of the next quarter from the pipeline. | quarter: Quarter
crm.campaign.send | Sends a marketing newsletter to a segment of customers. | segment: Segment; template: Template
crm.segment.create | Groups customers by conditions. | name: Name; conditions: Conditions
crm.quote.create | Makes an offer with prices for a customer. | dealId: Deal; items: Products; discount: Percent
`;
