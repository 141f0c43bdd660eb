// SPDX-License-Identifier: Apache-2.0

/// What a tenant says, written by hand.
package enum Said {
    package static func token(_ token: String) -> String { #"{"continuation_token":"\#(token)"}"# }

    package static func codeSent(_ token: String) -> String {
        """
        {"continuation_token":"\(token)","challenge_type":"oob","binding_method":"prompt","challenge_channel":"email",
         "challenge_target_label":"m***a@lo*****.example","code_length":8,"interval":300}
        """
    }

    package static func passwordWanted(_ token: String) -> String {
        #"{"challenge_type":"password","continuation_token":"\#(token)"}"#
    }

    package static let redirect =
        #"{"challenge_type":"redirect","redirect_reason":"Client is missing mfa_required capability"}"#

    package static func credentialRequired(_ token: String) -> String {
        #"{"error":"credential_required","error_codes":[55103],"continuation_token":"\#(token)"}"#
    }

    package static func attributesRequired(_ token: String) -> String {
        """
        {"error":"attributes_required","error_codes":[55106],"continuation_token":"\(token)","required_attributes":[
          {"name":"displayName","type":"string","required":true,"options":{"regex":"^.{1,256}$"}},
          {"name":"city","type":"string","required":false,"options":{"regex":""}}]}
        """
    }

    package static let wrongCode = #"{"error":"invalid_grant","suberror":"invalid_oob_value","error_codes":[50181]}"#
    package static let wrongPassword =
        #"{"error":"invalid_grant","error_codes":[50126],"error_description":"AADSTS50126: Wrong."}"#
    package static let tooManyCodes = #"{"error":"invalid_request","error_codes":[701014]}"#
    package static let weakPassword =
        #"{"error":"invalid_grant","suberror":"password_too_weak","error_codes":[399246]}"#
    package static let expired = #"{"error":"expired_token","error_codes":[552003]}"#
}

// MARK: - After the first factor, and the reset of a password

extension Said {
    package static func multiFactorRequired(_ token: String) -> String {
        """
        {"error":"invalid_grant","suberror":"mfa_required","error_description":"AADSTS50076: A second factor is needed.",
         "error_codes":[50076],"continuation_token":"\(token)"}
        """
    }

    package static func registrationRequired(_ token: String) -> String {
        """
        {"error":"invalid_grant","suberror":"registration_required","error_codes":[50072],
         "continuation_token":"\(token)"}
        """
    }

    package static func methods(_ token: String) -> String {
        """
        {"continuation_token":"\(token)","methods":[
         {"id":"c4b5a697","challenge_type":"oob","challenge_channel":"email","login_hint":"m***a@lo*****.example"},
         {"id":"d5c6b7a8","challenge_type":"oob","challenge_channel":"sms","login_hint":"+47*****7"}]}
        """
    }

    package static func registrable(_ token: String) -> String {
        """
        {"continuation_token":"\(token)","methods":[
         {"id":"email","challenge_type":"oob","challenge_channel":"email","login_hint":"mira@lofoten.example"},
         {"id":"sms","challenge_type":"oob","challenge_channel":"sms"}]}
        """
    }

    package static func contactCodeSent(_ token: String) -> String {
        """
        {"continuation_token":"\(token)","challenge_type":"oob","binding_method":"prompt","challenge_channel":"sms",
         "challenge_target":"+4790000007","code_length":8}
        """
    }

    package static func preverified(_ token: String) -> String {
        #"{"continuation_token":"\#(token)","challenge_type":"preverified"}"#
    }

    package static func codeRight(_ token: String) -> String { #"{"continuation_token":"\#(token)","expires_in":600}"# }
    package static func submitted(_ token: String) -> String {
        #"{"continuation_token":"\#(token)","poll_interval":2}"#
    }
    package static func succeeded(_ token: String) -> String {
        #"{"status":"succeeded","continuation_token":"\#(token)"}"#
    }

    package static let inProgress = #"{"status":"in_progress"}"#
    package static let notStarted = #"{"status":"not_started"}"#
    package static let failed = #"{"status":"failed"}"#
    package static let blocked =
        #"{"error":"access_denied","suberror":"provider_blocked_by_rep","error_codes":[550024],"error_description":"AADSTS550024: This contact cannot be used."}"#
    package static let invalidContact = #"{"error":"invalid_request","error_codes":[901001]}"#
    package static let wrongToken = #"{"error":"invalid_request","error_codes":[55200]}"#
    package static let userNotFound = #"{"error":"user_not_found","error_codes":[50034]}"#
}
