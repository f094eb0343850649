/** One step, or the same step for several things, over ten tools of a user's own. */
import { absent, asked, call, type Entry, maybe, oneOf } from "./table.ts";

export const ownRequests: readonly Entry[] = [
  asked("whats the wether like in Oslo?", call("get_weather", { city: "Oslo" })),
  asked(
    "weather forecast for san francisco for the next 3 days in fahrenheit",
    call("get_weather", { city: oneOf("san francisco", "San Francisco"), days: 3, unit: "fahrenheit" }),
  ),
  asked(
    "what will the temperature be in Reykjavik tomorrow? give me celsius",
    call("get_weather", { city: "Reykjavik", unit: maybe("celsius"), days: oneOf(1, 2, absent) }),
  ),
  asked("Where is my order 88213?", call("order_status", { order_id: "88213" })),
  asked("status of ORD-2291 please", call("order_status", { order_id: "ORD-2291" })),
  asked(
    "list all shipped orders of customer Acme since 2026-01-15",
    call("find_orders", { customer: "Acme", status: "shipped", since: "2026-01-15" }),
  ),
  asked("Show the five most recent cancelled orders", call("find_orders", { status: "cancelled", limit: 5 })),
  asked("Convert 250 US dollars to Japanese yen", call("convert_currency", { amount: 250, from: "USD", to: "JPY" })),
  asked("how much is 99.90 EUR in CHF", call("convert_currency", { amount: 99.9, from: "EUR", to: "CHF" })),
  asked(
    "I have 1,500 pounds, what's that in euros?",
    call("convert_currency", { amount: 1500, from: "GBP", to: "EUR" }),
  ),
  asked(
    "What's on my calendar on 2026-05-04?",
    call("calendar.list_events", { from: "2026-05-04", to: maybe("2026-05-04") }),
  ),
  asked(
    "list my appointments between 2026-05-04 and 2026-05-08",
    call("calendar.list_events", { from: "2026-05-04", to: "2026-05-08" }),
  ),
  asked(
    'Schedule "Design review" on 2026-06-02 at 14:00 for 45 minutes with ann@example.org and bob@example.org',
    call("calendar.create_event", {
      title: "Design review",
      date: "2026-06-02",
      start_time: "14:00",
      duration_minutes: 45,
      attendees: ["ann@example.org", "bob@example.org"],
    }),
  ),
  asked(
    'create an online event titled "Standup" for March 3, 2026 at 9:30',
    call("calendar.create_event", {
      title: "Standup",
      date: "2026-03-03",
      start_time: oneOf("9:30", "09:30"),
      online: true,
    }),
  ),
  asked(
    "Put an event called Lunch with Maria in the calendar for 2026-07-01 at 12:15",
    call("calendar.create_event", { title: "Lunch with Maria", date: "2026-07-01", start_time: "12:15" }),
  ),
  asked(
    'Send a mail to lea@example.org with the subject "Invoice" and the text "Please find it attached."',
    call("send_mail", { to: ["lea@example.org"], subject: "Invoice", body: "Please find it attached." }),
  ),
  asked(
    "email tom@example.com and kim@example.com, subject 'Lunch', body 'Noon works.' and mark it urgent",
    call("send_mail", {
      to: ["tom@example.com", "kim@example.com"],
      subject: "Lunch",
      body: "Noon works.",
      urgent: true,
    }),
  ),
  asked(
    "Find direct flights from Vienna to Lisbon on 2026-09-12",
    call("search_flights", { from: "Vienna", to: "Lisbon", date: "2026-09-12", direct_only: true }),
  ),
  asked(
    "search business class flights from BOS to LHR on October 5th, 2026 for 2 passengers",
    call("search_flights", { from: "BOS", to: "LHR", date: "2026-10-05", class: "business", passengers: 2 }),
  ),
  asked(
    "I need a flight from Madrid to Rome on 2026-11-20, economy",
    call("search_flights", { from: "Madrid", to: "Rome", date: "2026-11-20", class: "economy" }),
  ),
  asked(
    "What would the monthly payment be on a loan of 250000 at 3.5% over 30 years?",
    call("loan_payment", { principal: 250000, annual_rate: 3.5, years: 30 }),
  ),
  asked(
    "loan payment for principal=18000, annual_rate=4.2, years=5",
    call("loan_payment", { principal: 18000, annual_rate: 4.2, years: 5 }),
  ),
  asked("set the bedroom thermostat to 19.5", call("set_thermostat", { room: "bedroom", celsius: 19.5 })),
  asked(
    "Turn the thermostat in the living room to 21 degrees from 06:30 to 22:00",
    call("set_thermostat", { room: "living room", celsius: 21, schedule: { from: "06:30", to: "22:00" } }),
  ),
  asked(
    "What is the weather in Lima and in Quito?",
    call("get_weather", { city: "Lima" }),
    call("get_weather", { city: "Quito" }),
  ),
  asked(
    "weather for Berlin, Hamburg and Munich",
    call("get_weather", { city: "Berlin" }),
    call("get_weather", { city: "Hamburg" }),
    call("get_weather", { city: "Munich" }),
  ),
  asked(
    "Convert 100 EUR to USD and 50 GBP to CHF",
    call("convert_currency", { amount: 100, from: "EUR", to: "USD" }),
    call("convert_currency", { amount: 50, from: "GBP", to: "CHF" }),
  ),
];
