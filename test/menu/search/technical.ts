/** Tools of five services more, one a line: name, what it does, parameters. */
export const technical = `
repo_create_pull_request | Opens a pull request to merge one branch into another. | repository: Repository; head: Branch with the changes; base: Branch to merge into; title: Title; draft: Not ready yet
repo_merge_pull_request | Merges a pull request. | repository: Repository; number: Pull request; method: merge, squash or rebase
repo_list_pull_requests | Lists pull requests by state and author. | repository: Repository; state: open or closed; author: Author
repo_get_diff | Shows which lines a pull request or a commit changes. | repository: Repository; ref: Commit or pull request
repo_review_pull_request | Approves a pull request or requests changes. | repository: Repository; number: Pull request; verdict: approve or reject; comment: Text
repo_request_review | Asks people to review a pull request. | repository: Repository; number: Pull request; people: Who is asked
repo_create_branch | Makes a branch from a commit. | repository: Repository; name: Name; from: Commit
repo_delete_branch | Deletes a branch. | repository: Repository; name: Branch
repo_list_commits | Shows the log of a branch: commits, authors and dates. | repository: Repository; branch: Branch; since: Earliest date
repo_get_file | Reads a source file at a commit or branch. | repository: Repository; path: File; ref: Branch or commit
repo_commit_file | Writes a file and commits the change. | repository: Repository; path: File; content: New content; message: Commit message
repo_search_code | Searches source code for a word or symbol. | query: Words; language: Programming language
repo_fork | Copies somebody's repository to your own account. | repository: Repository
repo_create_release | Publishes a version with release notes. | repository: Repository; tag: Tag; notes: Text
repo_create_repository | Creates an empty repository. | name: Name; private: Visible to members only
repo_add_collaborator | Gives somebody the right to push to a repository. | repository: Repository; user: Person; permission: read, write or admin
repo_run_workflow | Starts a continuous integration pipeline by hand. | repository: Repository; workflow: Pipeline; inputs: Values
repo_workflow_logs | Fetches the output of a build that ran, to see why it failed. | repository: Repository; runId: Run
repo_rerun_failed_jobs | Runs the failed jobs of a build again. | repository: Repository; runId: Run
repo_blame | Tells who last changed each line of a file. | repository: Repository; path: File
createIssue | Reports a bug or asks for a feature in a project. | project: Project; title: Summary; description: Details; type: bug, story or task; priority: Priority
updateIssue | Edits the fields of an issue. | issueKey: Issue; fields: What changes
assignIssue | Makes somebody responsible for an issue. | issueKey: Issue; assignee: Person
transitionIssue | Moves an issue to another status, such as in progress or done. | issueKey: Issue; status: Status
commentOnIssue | Adds a comment to an issue. | issueKey: Issue; text: Comment
searchIssues | Finds issues with a query over project, status, assignee and text. | query: Query; limit: How many
getIssue | Shows an issue with its comments and history. | issueKey: Issue
linkIssues | Connects two issues: one blocks, duplicates or relates to the other. | from: Issue; to: Issue; relation: Kind of link
deleteIssue | Deletes an issue. | issueKey: Issue
addAttachmentToIssue | Attaches a screenshot or another file to an issue. | issueKey: Issue; path: File
logWork | Books the hours that somebody spent on an issue. | issueKey: Issue; hours: Time spent; comment: What was done
estimateIssue | Sets the story points of an issue. | issueKey: Issue; points: Points
createSprint | Plans a sprint on a board. | board: Board; name: Name; start: First day; end: Last day
startSprint | Begins a sprint. | sprintId: Sprint
completeSprint | Ends a sprint and moves what is left to the backlog. | sprintId: Sprint
addToSprint | Puts issues into a sprint. | sprintId: Sprint; issues: Issues
getBurndown | Draws how much work is left in a sprint, day by day. | sprintId: Sprint
createEpic | Groups issues under a larger goal. | project: Project; name: Name
listProjects | Lists all projects that you can see. |
watchIssue | Notifies you when an issue changes. | issueKey: Issue
payments_create_charge | Charges a customer's credit card. | customerId: Customer; amount: Amount; currency: Currency
payments_refund | Gives a customer money back for a payment. | paymentId: Payment; amount: How much; reason: Reason
payments_list_transactions | Lists payments in a period. | from: First day; to: Last day; status: paid, failed or pending
payments_create_invoice | Writes an invoice for a customer. | customerId: Customer; items: Lines; dueDate: Due date
payments_send_invoice | Sends an invoice to the customer. | invoiceId: Invoice
payments_void_invoice | Cancels an invoice that was written by mistake. | invoiceId: Invoice
payments_remind_overdue | Sends a reminder for invoices that are past due. | daysLate: At least so many days
payments_create_subscription | Starts a plan that is paid every month or year. | customerId: Customer; plan: Plan; trialDays: Days for free
payments_cancel_subscription | Stops a plan at the end of the period. | subscriptionId: Subscription
payments_change_plan | Upgrades or downgrades a subscription to another price. | subscriptionId: Subscription; plan: New plan
payments_create_coupon | Makes a discount code. | percent: Percent off; code: Code; expires: Last day
payments_get_balance | Tells how much money is in the account. |
payments_payout | Transfers money from the account to the bank. | amount: Amount; bankAccount: Account
payments_list_disputes | Lists chargebacks that customers have opened. | status: open or closed
payments_answer_dispute | Submits evidence against a chargeback. | disputeId: Dispute; evidence: Files and text
payments_update_card | Replaces the credit card of a customer. | customerId: Customer; token: Card token
payments_tax_rate | Computes the sales tax or VAT for a country and product. | country: Country; product: Product
payments_exchange_rate | Tells what one currency is worth in another. | from: Currency; to: Currency; date: Day
payments_export_ledger | Exports the books for the accountant. | year: Year; format: csv or xlsx
payments_create_link | Makes a page where somebody can pay an amount. | amount: Amount; description: What for
cloud.vm.create | Launches a virtual machine. | image: Operating system; size: CPUs and memory; region: Region
cloud.vm.stop | Shuts down a virtual machine. | vmId: Machine
cloud.vm.start | Boots a virtual machine that was stopped. | vmId: Machine
cloud.vm.reboot | Restarts a virtual machine. | vmId: Machine
cloud.vm.resize | Gives a virtual machine more or less memory and CPU. | vmId: Machine; size: Size
cloud.vm.list | Lists virtual machines with their state and address. | region: Region
cloud.vm.snapshot | Takes a snapshot of a disk as a backup. | vmId: Machine; name: Name
cloud.bucket.create | Creates a storage bucket. | name: Name; region: Region; public: Readable by everybody
cloud.bucket.putObject | Stores an object in a bucket. | bucket: Bucket; key: Key; path: File
cloud.dns.addRecord | Points a domain name to an address. | domain: Domain; type: A, CNAME, MX or TXT; value: Value
cloud.cert.issue | Issues a TLS certificate for a domain. | domain: Domain
cloud.firewall.allow | Opens a port to a range of addresses. | port: Port; source: Addresses
cloud.firewall.deny | Blocks traffic from a range of addresses. | source: Addresses
cloud.db.create | Creates a managed database. | engine: postgres or mysql; size: Size
cloud.db.query | Runs an SQL statement on a database. | database: Database; sql: Statement
cloud.db.restore | Restores a database from a backup. | database: Database; at: Point in time
cloud.logs.search | Searches the logs of services for errors or words. | service: Service; query: Words; since: Begin
cloud.metrics.get | Reads CPU load, memory use and latency over time. | resource: Machine or service; metric: Metric
cloud.alert.create | Warns somebody when a metric is above a threshold. | metric: Metric; threshold: Limit; notify: Whom
cloud.cost.report | Shows what was spent by service and month. | month: Month
travel_search_flights | Finds flights between two airports on a date. | from: Departure airport; to: Arrival airport; date: Day; passengers: Number of people
travel_book_flight | Buys tickets for a flight. | flightId: Flight; passengers: Names; seat: Seat
travel_cancel_booking | Cancels a reservation of a flight, hotel or car. | bookingId: Booking
travel_check_in | Checks passengers in and gives boarding passes. | bookingId: Booking
travel_flight_status | Says whether a flight is on time, delayed or cancelled. | flightNumber: Flight; date: Day
travel_choose_seat | Picks a seat on a booked flight. | bookingId: Booking; seat: Seat
travel_add_baggage | Adds luggage to a booked flight. | bookingId: Booking; bags: Number; weight: Kilograms
travel_search_hotels | Finds hotels in a city with free rooms. | city: City; checkIn: First night; checkOut: Last day; stars: At least so many
travel_book_hotel | Reserves a hotel room. | hotelId: Hotel; room: Kind of room; guests: Names
travel_rent_car | Rents a car at a place. | place: Pick-up place; from: Begin; to: End; size: Kind of car
travel_search_trains | Finds train connections between two stations. | from: Station; to: Station; date: Day
travel_visa_rules | Tells whether citizens of a country need a visa for another. | nationality: Passport; destination: Country
travel_weather_forecast | Gives temperature, rain and wind of the coming days at a place. | place: Place; days: How many
travel_directions | Describes the way from one place to another, by car, on foot or by public transport. | from: Start; to: Goal; mode: Means of transport
travel_nearby_places | Finds restaurants, shops and sights around a place. | place: Place; kind: Kind
travel_book_table | Reserves a table at a restaurant. | restaurant: Restaurant; at: Date and time; people: How many
travel_translate_phrase | Translates a sentence into another language. | text: Sentence; language: Target language
travel_convert_units | Converts miles, pounds, gallons and degrees. | value: Number; from: Unit; to: Unit
travel_split_expenses | Works out who owes whom after a trip together. | expenses: Who paid what
travel_packing_list | Suggests what to take along for a trip. | destination: Place; days: Length
`;
