// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Tenant

/// Telephone numbers, masks, and patterns of contacts.
struct ContactTests {
    @Test(arguments: [
        ("+4790000007", "+4790000007"), ("+47 900 00 007", "+4790000007"), ("+47-900-00-007", "+4790000007"),
        ("+1 (425) 555-0100", "+14255550100"), ("+1.425.555.0100", "+14255550100"), ("+1234567", "+1234567"),
        ("+123456789012345", "+123456789012345"), (" +47 90000007 ", "+4790000007"),
    ])
    func numberIsTakenAsPeopleWriteIt(_ written: String, _ number: String) {
        #expect(PhoneNumber(written)?.text == number)
        #expect(Contact(written)?.channel == .sms)
    }

    @Test(arguments: [
        "", "+", "4790000007", "004790000007", "+0123456789", "+123456", "+1234567890123456", "++4790000007",
        "+47+90000007", "+47 900x0007", "+47９００００００７", "+47\t90000007", "+47\u{A0}90000007", "tel:+4790000007",
        "+4790000007;ext=1", "+4790000007\n",
    ])
    func otherTextIsNoNumber(_ text: String) {
        #expect(PhoneNumber(text) == nil)
        #expect(Contact(text) == nil)
    }

    @Test func addressThatBeginsWithAPlusIsAnAddress() {
        #expect(Contact("+47@lofoten.example")?.channel == .email)
    }

    /// Country code, stars, the last digit: one digit of code for zones 1 and 7, two for some countries, three for the
    /// rest.
    @Test(arguments: [
        ("+4790000007", "+47*******7"), ("+14255550100", "+1*********0"), ("+74951234567", "+7*********7"),
        ("+3538331234567", "+353*********7"), ("+85212345678", "+852*******8"), ("+1234567", "+1*****7"),
        ("+5511912345678", "+55**********8"), ("+2571234", "+257***4"),
    ])
    func numberIsMasked(_ number: String, _ mask: String) {
        #expect(PhoneNumber(number)?.masked == mask)
    }

    @Test(arguments: [
        ("+4790000007", "+47*", true), ("+4790000007", "+46*", false), ("+4790000007", "+4790000007", true),
        ("+4790000007", "+479000000", false), ("+4790000007", "*007", true),
        ("ida@bergen.example", "*@bergen.example", true), ("Ida@Bergen.Example", "*@BERGEN.example", true),
        ("ida@sub.bergen.example", "*@bergen.example", false), ("ida@bergen.example", "ida@*", true),
        ("ida@bergen.example", "ida@bergen.example", true), ("ada@bergen.example", "ida@bergen.example", false),
        ("ida@bergen.example", "*", true), ("ida@bergen.example", "", false),
    ])
    func patternCovers(_ contact: String, _ pattern: String, _ isCovered: Bool) throws {
        let contact = try #require(Contact(contact))
        #expect(contact.isCovered(by: [pattern]) == isCovered)
        #expect(contact.isCovered(by: ["nobody", pattern]) == isCovered)
    }

    @Test func noPatternCoversNothing() throws {
        #expect(try #require(Contact("+4790000007")).isCovered(by: []) == false)
    }
}
