// Made from the description of the API: `npm run client:types`. Not to be edited.

export interface components {
    schemas: {
        /** @description The error of a refused request. */
        Refusal: {
            /** @description The problem and its remedy, for people. */
            message: string;
            /**
             * @description The error code, from a closed list.
             * @enum {string}
             */
            code: "invalid_request" | "invalid_json" | "unauthenticated" | "otp_required" | "forbidden" | "token_expired" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "too_large" | "unsupported_media_type" | "unprocessable" | "no_address" | "opted_out" | "unreachable" | "rate_limited" | "login_locked" | "bot_loop_identical" | "bot_loop_consecutive" | "unavailable" | "paused" | "internal";
            /** @description The message again, in the form that many clients read. */
            error: {
                /** @description The problem and its remedy, for people. */
                message: string;
            };
            /** @description The record that has the unique value, if visible to the caller. Only in a 409. */
            conflict?: {
                /** @description The resource, as in paths. */
                resource: string;
                /** @description The id of the record. */
                id: string;
            };
            /** @description The problems in the body or query, by field. */
            details?: {
                /** @description The dotted path of the field. */
                path: string;
                /** @description The problem of the field. */
                message: string;
            }[];
        };
        /** @description A parameter or field is missing, malformed or of the wrong type. */
        InvalidRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "invalid_request" | "invalid_json";
        };
        /** @description The token is missing or invalid. */
        UnauthenticatedRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "unauthenticated" | "otp_required";
        };
        /** @description The scope is too low, the token has expired, or the organization is not yours. */
        ForbiddenRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "forbidden" | "token_expired";
        };
        /** @description The record does not exist, or is not visible to you. */
        NotFoundRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "not_found";
        };
        /** @description A value that must be unique is taken. */
        ConflictRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "conflict";
        };
        /** @description The record has changed: no tag in `If-Match` is current. Nothing was done. */
        PreconditionFailedRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "precondition_failed";
        };
        /** @description The body exceeds 1 MiB, or a file 16 MiB. */
        TooLargeRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "too_large";
        };
        /** @description The body has an unsupported type, or is compressed. */
        UnsupportedMediaTypeRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "unsupported_media_type";
        };
        /** @description Every field is valid by itself, but the combination or the stored data rules the request out. */
        UnprocessableRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "unprocessable" | "no_address" | "opted_out" | "unreachable";
        };
        /** @description Too many requests, failed logins, messages of a bot, or events in progress. */
        RateLimitedRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "rate_limited" | "login_locked" | "bot_loop_identical" | "bot_loop_consecutive";
        };
        /** @description An unexpected error. */
        InternalRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "internal";
        };
        /** @description A server that Parlance needs does not respond. Try again. */
        UnavailableRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The error code.
             * @enum {string}
             */
            code?: "unavailable" | "paused";
        };
        /** @description Either email and password, or refreshToken and clientId. */
        TokenInput: components["schemas"]["Login"] | components["schemas"]["TokenRefresh"];
        /** @description Signs in. */
        Login: {
            /**
             * Format: email
             * @description The user's email.
             */
            email: string;
            /** @description The password. */
            password: string;
            /** @description The one-time password, for users who have them. Without it: 401 `otp_required`. */
            otp?: string;
        };
        /** @description Returns new tokens after the access token has expired. */
        TokenRefresh: {
            /** @description The refresh token. */
            refreshToken: string;
            /**
             * Format: email
             * @description The user's email. The record of a bot shows it.
             */
            clientId: string;
        };
        /** @description Tokens of a session. */
        Token: {
            /**
             * @description The authentication scheme.
             * @constant
             */
            tokenType: "Bearer";
            /** @description The access token. Valid for 24 hours, for a bot 30 days. */
            token: string;
            /** @description The refresh token. Valid once, for 30 days, for a bot 90. */
            refreshToken: string;
            /** @description The user who signed in. */
            user: string;
            /** @description The organization of the user. */
            organization: string;
            /**
             * Format: date-time
             * @description The expiry time of the access token.
             */
            expiresAt: string;
            /** @description The scopes of the token, separated by spaces. */
            scope: string;
        };
        /** @description A new password. */
        PasswordInput: {
            /** @description The part of the link after `#/password/`. */
            token: string;
            /** @description The new password: 10 to 200 characters. */
            password: string;
        };
        /** @description The user whose password was set. */
        PasswordSet: {
            /** @description The id of the user. */
            user: string;
            /**
             * Format: email
             * @description The email for signing in.
             */
            email: string;
        };
        /** @description A user who has forgotten the password. */
        PasswordResetInput: {
            /**
             * Format: email
             * @description The user's email.
             */
            email: string;
        };
        /** @description One request of a batch. */
        BatchLine: {
            /**
             * @description The method. Default POST.
             * @enum {unknown}
             */
            method?: "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description The path below /v2, without a query. */
            path: string;
            /** @description The body of the request. */
            body?: unknown;
            /** @description The header `If-Match`. */
            ifMatch?: string;
        };
        /** @description The response to one line of a batch. */
        BatchResult: {
            /** @description The status. */
            status: number;
            /** @description The headers. */
            headers: {
                [key: string]: string;
            };
            /** @description The body of the response. */
            body?: unknown;
        };
        /** @description A category of conversations. */
        OrganizationCategory: {
            /** @description The name. */
            name: string;
            /** @description The ids of the forms that may be added under the category. */
            forms: string[];
        };
        /** @description The conversations of the timer. Default: all. */
        OrganizationTimerOnly: {
            /** @description With one of these categories. */
            category?: string[];
            /** @description With one of these types. */
            type?: ("bot" | "contact" | "viewer" | "agent" | "admin" | "system")[];
            /** @description With one of these touchpoints selected. */
            touchpoint?: string[];
        };
        /** @description Opening hours of some days. */
        TimerHoursOfDays: {
            /** @description The days. */
            days: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
            /** @description a time of day as in 09:30 */
            from: string;
            /** @description a time of day as in 09:30 */
            to: string;
        };
        /** @description The hours that a timer counts. */
        TimerHours: {
            /** @description The name of the time zone. */
            timeZone: string;
            /** @description The weekly hours. */
            week: components["schemas"]["TimerHoursOfDays"][];
        };
        /** @description A timer that posts an event after a period of inactivity. */
        OrganizationTimer: {
            /** @description The name. A timer replaces the timer with the same name of an organization above. */
            name: string;
            /**
             * @description `queued`: no agent has taken the conversation. `waiting`: the contact has no reply of an agent or bot. `quiet`: no message arrives. `accepted`: an agent has taken the conversation and not replied. `unread`: the contact has not read a reply on the chat page.
             * @enum {string}
             */
            when: "queued" | "waiting" | "quiet" | "accepted" | "unread";
            /** @description The duration: milliseconds, or ISO 8601 without months and years. 1 second to 400 days. */
            after: number | string;
            only?: components["schemas"]["OrganizationTimerOnly"];
            hours?: components["schemas"]["TimerHours"];
            /** @description Disables the timer, and the timer above with the same name. */
            disabled?: boolean;
            /** @description words of letters, digits, "_" and "-" joined by dots, as in order.created */
            event: string;
            /** @description The bot that posts the event: a bot of the organization, or of an organization above it. */
            user: string;
        };
        /** @description The owner of conversations, contacts and users. */
        Organization: {
            /** @description The id of the organization. */
            id: string;
            /** @description The name. */
            name: string;
            /** @description The name that contacts see. */
            displayName?: string;
            /**
             * Format: email
             * @description The email address of the organization.
             */
            email?: string;
            /**
             * Format: uri
             * @description The website.
             */
            url?: string;
            /** @description two capital letters, as in ISO 3166 (NL) */
            country?: string;
            /**
             * Format: uri
             * @description The logo.
             */
            logo?: string;
            /** @description The industry. */
            industry?: string;
            /** @description A custom status. */
            status?: string;
            /** @description Keywords for finding the record. */
            tags: string[];
            /** @description The categories of conversations, in order. */
            categories: components["schemas"]["OrganizationCategory"][];
            /** @description The form of ratings: contacts rate a closed conversation on the chat page. It has a field `rating`, and a field `comment` if contacts may write. Default: the one of the organization above. */
            ratingForm?: string;
            /** @description Timers for inactivity in conversations of the organization and below it. */
            timers: components["schemas"]["OrganizationTimer"][];
            /** @description Preferences: free-form like `meta`. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The organization above. The root has no parent. */
            parent?: string;
            /** @description The ids from the root down to the organization, joined by `#`. */
            path: string;
            /** @description The number of levels below the root. */
            level: number;
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description A category of conversations. */
        Category: {
            /** @description The name. */
            name: string;
            /** @description The ids of the forms that may be added under the category. */
            forms?: string[];
        };
        /** @description An organization to create. */
        OrganizationInput: {
            /** @description The name. */
            name: string;
            /** @description The name that contacts see. */
            displayName?: string;
            /**
             * Format: email
             * @description The email address of the organization.
             */
            email?: string;
            /**
             * Format: uri
             * @description The website.
             */
            url?: string;
            /** @description two capital letters, as in ISO 3166 (NL) */
            country?: string;
            /**
             * Format: uri
             * @description The logo.
             */
            logo?: string;
            /** @description The industry. */
            industry?: string;
            /** @description A custom status. */
            status?: string;
            /** @description Keywords for finding the record. */
            tags?: string[];
            /** @description The categories of conversations, in order. */
            categories?: components["schemas"]["Category"][];
            /** @description The form of ratings: contacts rate a closed conversation on the chat page. It has a field `rating`, and a field `comment` if contacts may write. Default: the one of the organization above. */
            ratingForm?: string;
            /** @description Timers for inactivity in conversations of the organization and below it. */
            timers?: components["schemas"]["OrganizationTimer"][];
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The organization above. Default: the caller's. */
            parent?: string;
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        OrganizationPatch: {
            /** @description The name. */
            name?: string;
            /** @description The name that contacts see. */
            displayName?: string | null;
            /** @description The email address of the organization. */
            email?: string | null;
            /** @description The website. */
            url?: string | null;
            /** @description two capital letters, as in ISO 3166 (NL) */
            country?: string | null;
            /** @description The logo. */
            logo?: string | null;
            /** @description The industry. */
            industry?: string | null;
            /** @description A custom status. */
            status?: string | null;
            /** @description Keywords for finding the record. */
            tags?: string[] | null;
            /** @description The categories of conversations, in order. */
            categories?: components["schemas"]["Category"][] | null;
            /** @description The form of ratings: contacts rate a closed conversation on the chat page. It has a field `rating`, and a field `comment` if contacts may write. Default: the one of the organization above. */
            ratingForm?: string | null;
            /** @description Timers for inactivity in conversations of the organization and below it. */
            timers?: components["schemas"]["OrganizationTimer"][] | null;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            } | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
            /** @description The organization above. Default: the caller's. */
            parent?: string;
        };
        /** @description A calendar day in the time zone. */
        ReportDay: {
            /** @description The day. */
            day: string;
            /** @description The number of conversations created on the day. */
            conversations: number;
        };
        /** @description The number of conversations by current status. */
        ReportStatuses: {
            /** @description The number of queued conversations. */
            queued: number;
            /** @description The number of active conversations. */
            active: number;
            /** @description The number of closed conversations. */
            closed: number;
        };
        /** @description Conversations by category. */
        ReportCategory: {
            /** @description The name or code. */
            name: string;
            /** @description The number of conversations. */
            conversations: number;
        };
        /** @description Conversations by selected touchpoint. */
        ReportTouchpoint: {
            /** @description The name or code. */
            name: string;
            /** @description The number of conversations. */
            conversations: number;
        };
        /** @description The waiting times of conversations, in milliseconds. */
        WaitSummary: {
            /** @description The number of conversations that ended this wait. */
            conversations: number;
            /** @description The median. Null without conversations. */
            median: number | null;
            /** @description The 90th percentile. Null without conversations. */
            p90: number | null;
        };
        /** @description The waiting times until a participant first accepted, until an agent or bot first replied to the contact, and until the conversation was first closed. */
        ReportTimes: {
            accept: components["schemas"]["WaitSummary"];
            firstReply: components["schemas"]["WaitSummary"];
            close: components["schemas"]["WaitSummary"];
        };
        /** @description The waiting times of these conversations. */
        ReportAgentTimes: {
            firstReply: components["schemas"]["WaitSummary"];
            close: components["schemas"]["WaitSummary"];
        };
        /** @description The last ratings of these conversations. */
        ReportAgentRatings: {
            /** @description The number of conversations that have a rating. */
            conversations: number;
            /** @description The average with two decimals. Null without ratings. */
            average: number | null;
        };
        /** @description The work of an agent. */
        ReportAgent: {
            /** @description The agent. */
            user: string;
            /** @description The name. Absent without one. */
            name?: string;
            /** @description The number of conversations that the agent has accepted. */
            conversations: number;
            /** @description The number of replies to contacts that the agent wrote in the range. */
            replies: number;
            times: components["schemas"]["ReportAgentTimes"];
            ratings: components["schemas"]["ReportAgentRatings"];
        };
        /** @description The replies of bots and of people to contacts. */
        ReportReplies: {
            /** @description The number of replies that bots wrote in the range. */
            bot: number;
            /** @description The number of replies that agents wrote in the range. */
            agent: number;
            /** @description The number of closed conversations in which no agent took part. */
            closedWithoutAgent: number;
        };
        /** @description The failed deliveries of a service. */
        ReportFailingService: {
            /** @description The service. */
            service: string;
            /** @description The name. Absent for a deleted service. */
            name?: string;
            /** @description The type of the service. */
            type?: string;
            /** @description The number of failed deliveries. */
            deliveries: number;
        };
        /** @description The failed deliveries of events of the range that are still kept. */
        ReportFailures: {
            /** @description The number of failed deliveries of webhooks. */
            webhooks: number;
            /** @description The number of failed deliveries of channels. */
            channels: number;
            /** @description The 200 services with the most failed deliveries. */
            services: components["schemas"]["ReportFailingService"][];
        };
        /** @description A rating. */
        ReportRating: {
            /** @description The rating. */
            rating: number;
            /** @description The number of conversations with this rating. */
            conversations: number;
        };
        /** @description The contacts' last ratings of the conversations. */
        ReportRatings: {
            /** @description The number of conversations that have a rating. */
            conversations: number;
            /** @description The average with two decimals. Null without ratings. */
            average: number | null;
            /** @description Every rating from 1 to 5, also without conversations. */
            values: components["schemas"]["ReportRating"][];
        };
        /** @description Statistics of the conversations created in a range of time. */
        Report: {
            /** @description The organization. Organizations below it are included. */
            organization: string;
            /**
             * Format: date-time
             * @description The start of the range.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the range, exclusive.
             */
            until: string;
            /** @description The time zone of the days. */
            timeZone: string;
            /** @description The number of created conversations. */
            conversations: number;
            /** @description Every day of the range, also without conversations. The first and the last day may be partial. */
            days: components["schemas"]["ReportDay"][];
            statuses: components["schemas"]["ReportStatuses"];
            /** @description Conversations by category. The 200 most frequent, most frequent first. A conversation without a value is in no entry. */
            categories: components["schemas"]["ReportCategory"][];
            /** @description Conversations by selected touchpoint. The 200 most frequent, most frequent first. A conversation without a value is in no entry. */
            touchpoints: components["schemas"]["ReportTouchpoint"][];
            times: components["schemas"]["ReportTimes"];
            /** @description The 200 agents with the most conversations. */
            agents: components["schemas"]["ReportAgent"][];
            replies: components["schemas"]["ReportReplies"];
            failures: components["schemas"]["ReportFailures"];
            ratings: components["schemas"]["ReportRatings"];
        };
        /** @description A timer and its organization. */
        OwnedTimer: {
            /** @description The name. A timer replaces the timer with the same name of an organization above. */
            name: string;
            /**
             * @description `queued`: no agent has taken the conversation. `waiting`: the contact has no reply of an agent or bot. `quiet`: no message arrives. `accepted`: an agent has taken the conversation and not replied. `unread`: the contact has not read a reply on the chat page.
             * @enum {string}
             */
            when: "queued" | "waiting" | "quiet" | "accepted" | "unread";
            /** @description The duration: milliseconds, or ISO 8601 without months and years. 1 second to 400 days. */
            after: number | string;
            only?: components["schemas"]["OrganizationTimerOnly"];
            hours?: components["schemas"]["TimerHours"];
            /** @description Disables the timer, and the timer above with the same name. */
            disabled?: boolean;
            /** @description words of letters, digits, "_" and "-" joined by dots, as in order.created */
            event: string;
            /** @description The bot that posts the event: a bot of the organization, or of an organization above it. */
            user: string;
            /** @description The organization of the timer: this organization, or an organization above it. */
            organization: string;
        };
        /** @description The secret with which websites sign their visitors. */
        WidgetSecret: {
            /** @description The secret. Returned only when the secret is created. */
            secret?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time until which the previous secret is valid.
             */
            formerUntil?: string;
        };
        /** @description A group of organizations. */
        OrganizationGroup: {
            /** @description The id of the organization group. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name: string;
            /** @description The ids of the organizations. */
            organizations: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description An organization group to create. */
        OrganizationGroupInput: {
            /** @description The name. */
            name: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The ids of the organizations. */
            organizations?: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        OrganizationGroupPatch: {
            /** @description The name. */
            name?: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The ids of the organizations. */
            organizations?: string[] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A person of the same organization. */
        Colleague: {
            /** @description Their id. */
            id: string;
            /** @description The first and last name. */
            name: string;
            /**
             * @description The presence of the user. A user with status `offline` counts as offline in every channel.
             * @enum {string}
             */
            status: "online" | "away" | "offline";
            /**
             * Format: uri
             * @description A picture.
             */
            avatar?: string;
        };
        /** @description A person or a bot with an account. */
        User: {
            /** @description Their id. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The first and last name. */
            name: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /**
             * Format: email
             * @description The email for signing in, unique over all organizations. A missing email is generated, and is the `clientId` of a bot.
             */
            email: string;
            /**
             * @description The role. A viewer has scope guest. Agent, bot and admin have the scope of that name.
             * @enum {string}
             */
            role: "viewer" | "agent" | "bot" | "admin";
            /**
             * @description The presence of the user. A user with status `offline` counts as offline in every channel.
             * @enum {string}
             */
            status: "online" | "away" | "offline";
            /**
             * Format: uri
             * @description A picture.
             */
            avatar?: string;
            /** @description Preferences: free-form like `meta`. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description A user to create: a person or a bot. */
        UserInput: {
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /**
             * Format: email
             * @description The email for signing in, unique over all organizations. A missing email is generated, and is the `clientId` of a bot.
             */
            email?: string;
            /** @description The password: 10 to 200 characters. Never returned. */
            password?: string;
            /**
             * @description The role. A viewer has scope guest. Agent, bot and admin have the scope of that name.
             * @enum {string}
             */
            role: "viewer" | "agent" | "bot" | "admin";
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /**
             * @description The presence of the user. A user with status `offline` counts as offline in every channel.
             * @enum {string}
             */
            status?: "online" | "away" | "offline";
            /**
             * Format: uri
             * @description A picture.
             */
            avatar?: string;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        UserPatch: {
            /** @description The first name. */
            givenName?: string | null;
            /** @description The last name. */
            familyName?: string | null;
            /** @description The email for signing in, unique over all organizations. A missing email is generated, and is the `clientId` of a bot. */
            email?: string | null;
            /** @description The password: 10 to 200 characters. Never returned. */
            password?: string | null;
            /**
             * @description The role. A viewer has scope guest. Agent, bot and admin have the scope of that name.
             * @enum {string}
             */
            role?: "viewer" | "agent" | "bot" | "admin";
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The presence of the user. A user with status `offline` counts as offline in every channel. */
            status?: ("online" | "away" | "offline") | null;
            /** @description A picture. */
            avatar?: string | null;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            } | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
            /** @description The current password. Required when users change their own email or password. */
            currentPassword?: string | null;
        };
        /** @description Proof that the caller knows the password. */
        OtpProposal: {
            /** @description The current password. */
            currentPassword: string;
        };
        /** @description A new secret for one-time passwords. */
        OtpSecret: {
            /** @description The secret, in base32. */
            secret: string;
            /**
             * Format: uri
             * @description The secret as an address for authenticator apps, to show as a QR code.
             */
            url: string;
        };
        /** @description Proof that the caller has the secret. */
        OtpInput: {
            /** @description The current one-time password of the authenticator. */
            otp: string;
        };
        /** @description How the link reaches the user. */
        PasswordLinkInput: {
            /** @description Sends the link to the email of the user. By default the caller hands it over. */
            mail?: boolean;
        };
        /** @description What became of the mail with the link. */
        LinkMail: {
            /**
             * @description Whether the mail server has taken the mail. `waiting`: it is tried again. `unavailable`: no mail server is set.
             * @enum {string}
             */
            status: "sent" | "waiting" | "failed" | "unavailable";
            /**
             * Format: email
             * @description The email of the user.
             */
            to: string;
            /** @description Why the mail failed. */
            reason?: string;
        };
        /** @description A link by which a user sets a password, once. */
        PasswordLink: {
            /**
             * Format: uri
             * @description The page of the console that sets the password. Absent if the link was sent by mail.
             */
            url?: string;
            /**
             * Format: date-time
             * @description The expiry time of the link.
             */
            expiresAt: string;
            mail?: components["schemas"]["LinkMail"];
        };
        /** @description An API key. It can be revoked. */
        ApiKey: {
            /** @description The id of the key. */
            id: string;
            /** @description The user of the key. */
            user: string;
            /** @description The purpose of the key. */
            name: string;
            /** @description The scopes of the key. */
            scopes: ("guest" | "agent" | "bot" | "admin")[];
            /** @description The user who created the key. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The end of the key. Absent on a key that does not expire.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description The time of the last use, to the minute. Absent before the first use.
             */
            lastUsedAt?: string;
            /** @description The key. Returned only when the key is created. */
            token?: string;
        };
        /** @description An API key to create. */
        ApiKeyInput: {
            /** @description The purpose of the key. */
            name: string;
            /** @description The scopes of the key. They must not exceed the scope of its user. */
            scopes: ("guest" | "agent" | "bot" | "admin")[];
            /**
             * Format: date-time
             * @description The end of the key. Default: the key does not expire.
             */
            expiresAt?: string;
        };
        /** @description A user who takes part in the conversation. */
        Participant: {
            /** @description The user. */
            user: string;
            /** @description The organization of the user. */
            organization?: string;
            /** @description The role of the user when joining. */
            role?: string;
            /** @description The number of unread messages. */
            unreadCount: number;
            /** @description Whether the user is working on the conversation. */
            active: boolean;
            /** @description Whether the conversation is in the user's inbox: assigned, and not accepted yet. */
            inbox: boolean;
            /** @description Whether the user has accepted the conversation. */
            accepted: boolean;
            /** @description Whether the user follows the conversation. */
            follow?: boolean;
            /** @description A custom status. */
            status?: string;
        };
        /** @description A touchpoint that is in use. */
        Touchpoint: {
            /** @description The ids of the services of the touchpoint. */
            services: string[];
            /** @description Whether the touchpoint is selected. */
            selected: boolean;
        };
        /** @description A form that is not complete yet. */
        ConversationForm: {
            /** @description The id of the form. */
            form: string;
            /** @description The name of the form. */
            name: string;
            /**
             * @description A `static` form stays. A `topic` is picked.
             * @enum {string}
             */
            type: "topic" | "static";
            /** @description The category under which the form was added. */
            category?: string;
            /** @description The index of that category. */
            categoryIndex?: number;
            /** @description The values filled in so far, by key. */
            values: {
                [key: string]: unknown;
            };
        };
        /** @description A form that was completed. */
        ConversationResult: {
            /** @description The message of type results that completed it. */
            message: string;
            /** @description The id of the form. */
            form: string;
            /** @description The name of the form. */
            name: string;
            /** @description The category under which the form was completed. */
            category?: string;
            /** @description The index of that category. */
            categoryIndex?: number;
        };
        /** @description The last chat, card, postback or mention. */
        LastMessage: {
            /** @description The id of the message. */
            id: string;
            /**
             * @description The type of the message.
             * @enum {string}
             */
            type: "chat" | "card" | "postback" | "mention";
            /** @description The text in one line, without markup, at most 200 characters. */
            text: string;
            /** @description Whether the message is hidden from the contact. */
            isBackchannel: boolean;
            /**
             * @description The role of the author.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description The sender, if a user. */
            user?: string;
            /**
             * @description The media type of the original text.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
        };
        /** @description The messages between a contact and an organization. */
        Conversation: {
            /** @description The id of the conversation. */
            id: string;
            /** @description The last part of the address: the chat key. */
            slug: string;
            /**
             * Format: uri
             * @description The contact's chat page.
             */
            url: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name?: string;
            /**
             * @description The initiator of the conversation. The third word of event names.
             * @enum {string}
             */
            type: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description The status. `queued`: waits for an agent. `active`: has an agent. `closed`: has ended.
             * @enum {string}
             */
            status: "queued" | "active" | "closed";
            /** @description The name of the category. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language of the conversation. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The contact. */
            contact?: string;
            /** @description The ids of the newest 1,000 processed messages, in order. */
            messages: string[];
            /** @description The users who take part. */
            participants: components["schemas"]["Participant"][];
            /** @description The channels that were notified. */
            channels: string[];
            /** @description The channels that were not notified, because no member was online. */
            channelsOffline: string[];
            /** @description The touchpoints in use, by code. */
            touchpoints: {
                [key: string]: components["schemas"]["Touchpoint"];
            };
            /** @description The forms that are not complete. */
            forms: components["schemas"]["ConversationForm"][];
            /** @description The forms that were completed. */
            results: components["schemas"]["ConversationResult"][];
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description The end of the time out of the queue, after `/snooze`.
             */
            snoozedUntil?: string;
            /** @description The team to which the conversation is assigned. Guests do not see it. */
            team?: string;
            /** @description The labels, in lower case. Guests do not see them. */
            labels?: string[];
            /** @description The contact's last rating, from 1 to 5. Guests do not see it. */
            rating?: number;
            /**
             * Format: date-time
             * @description The time at which the last chat, card, postback or mention was processed. Without such a message, the time of creation. Nothing else changes it, so only messages move a conversation in lists sorted by it.
             */
            lastMessageAt: string;
            lastMessage?: components["schemas"]["LastMessage"];
            /**
             * Format: date-time
             * @description The time since which the contact waits for a reply, or for an agent to take the conversation from the queue. Absent if the contact does not wait.
             */
            waitingSince?: string;
            /**
             * Format: date-time
             * @description The time of the first message of the contact.
             */
            firstContactAt?: string;
            /**
             * Format: date-time
             * @description The time of the first reply of an agent or bot to the contact.
             */
            firstReplyAt?: string;
            /**
             * Format: date-time
             * @description The time at which the first participant accepted the conversation.
             */
            acceptedAt?: string;
            /**
             * Format: date-time
             * @description The time of the first closing. A later reopening does not change it.
             */
            closedAt?: string;
        };
        /** @description An address of the contact on a channel. */
        IdentityInput: {
            /** @description A channel service of the organization. */
            service: string;
            /** @description The provider's id of the person: a number, an account or an address. */
            id: string;
            /** @description The name that the provider shows. */
            name?: string;
        };
        /** @description The personal data of the contact. An empty text counts as absent. */
        UpsertProfile: {
            /** @description The full name. */
            name?: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /** @description The email address, in lower case and with its domain in ASCII. Unique within the organization. */
            email?: string;
            /** @description The telephone number, stored as E.164 and unique within the organization. A number without `+` and country code is a number of the country of the organization. */
            telephone?: string;
            /** @description The language and region. */
            locale?: string;
            /** @description The postal address: a flat object of texts. */
            address?: {
                [key: string]: string;
            };
        };
        /** @description The contact. At least one of `identity`, `externalId`, `profile.email` and `profile.telephone` is required. */
        UpsertContact: {
            /** @description The id of the contact in another system, such as a CRM. Unique within the organization. */
            externalId?: string;
            identity?: components["schemas"]["IdentityInput"];
            profile?: components["schemas"]["UpsertProfile"];
            /** @description Keys to set. Null removes a key. Other keys stay. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Keys to set. Null removes a key. Other keys stay. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description A button. */
        Action: components["schemas"]["LinkAction"] | components["schemas"]["PostbackAction"] | components["schemas"]["ReplyAction"] | components["schemas"]["WebviewAction"] | components["schemas"]["LocationRequestAction"];
        /** @description Opens an address. */
        LinkAction: {
            /**
             * @description The type of the button. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "link";
            /** @description The label of the button. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description The address to open.
             */
            uri: string;
        };
        /** @description Posts its payload as a postback. */
        PostbackAction: {
            /**
             * @description The type of the button. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "postback";
            /** @description The label of the button. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The text to post when the button is chosen. JSON of a message, or of a list of messages, is posted as messages too. */
            payload: string;
        };
        /** @description A quick reply: posts its payload. Can be combined only with replies and location requests. */
        ReplyAction: {
            /**
             * @description The type of the button. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reply";
            /** @description The label of the button. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The text to post when the button is chosen. JSON of a message, or of a list of messages, is posted as messages too. */
            payload: string;
            /**
             * Format: uri
             * @description A picture on the button, on two touchpoints.
             */
            iconUrl?: string;
        };
        /** @description Opens an address within the chat. */
        WebviewAction: {
            /**
             * @description The type of the button. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webview";
            /** @description The label of the button. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description The address to open.
             */
            uri: string;
            /**
             * Format: uri
             * @description The address to open if webviews are not supported.
             */
            fallback: string;
            /**
             * @description The height of the webview.
             * @enum {string}
             */
            size?: "compact" | "tall" | "full";
        };
        /** @description Requests the location of the contact. Can be combined only with replies and location requests. */
        LocationRequestAction: {
            /**
             * @description The type of the button. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "locationRequest";
            /** @description The label of the button. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description An item of a list. */
        Item: {
            /** @description The title. */
            title: string;
            /** @description A second line. */
            description?: string;
            /** @description 1 to 3 buttons: links, webviews and postbacks. */
            actions?: components["schemas"]["Action"][];
            /**
             * @description The display size.
             * @enum {string}
             */
            size?: "compact" | "large";
            /**
             * Format: uri
             * @description A picture.
             */
            mediaUrl?: string;
            /** @description The media type of the picture. Default: from its address. */
            mediaType?: string;
        };
        /** @description A completed form. */
        FormResult: {
            /** @description The id of a form of the organization or one above it. */
            form: string;
            /** @description The name of the form. Required if the form is not open. */
            formName?: string;
            /**
             * @description The type of the form.
             * @enum {string}
             */
            type?: "topic" | "static";
            /** @description The entered values by field key: texts, numbers, booleans, null and lists of texts, at most 24 KiB as JSON. */
            values?: {
                [key: string]: unknown;
            };
        };
        /** @description A message to post. The request sets the conversation. Only `text` is required. */
        MessageInput: components["schemas"]["ChatMessageInput"] | components["schemas"]["CardMessageInput"] | components["schemas"]["PostbackMessageInput"] | components["schemas"]["MentionMessageInput"] | components["schemas"]["TagMessageInput"] | components["schemas"]["SearchMessageInput"] | components["schemas"]["CommandMessageInput"] | components["schemas"]["FormMessageInput"] | components["schemas"]["FieldMessageInput"] | components["schemas"]["ResultsMessageInput"] | components["schemas"]["ReportMessageInput"] | components["schemas"]["StatusMessageInput"];
        /** @description A text, with or without list items and buttons. */
        ChatMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type?: "chat";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description List items with a text. */
        CardMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "card";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description The payload of a button that was chosen. */
        PostbackMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "postback";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description Mentions users or bots by `meta.targetUser` and `meta.targetBot`. */
        MentionMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "mention";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description A tag. Stored and published without effect. */
        TagMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "tag";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description A search. Stored and published without effect. */
        SearchMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "search";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots. */
        CommandMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "command";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description Adds (`+name`) or removes (`-name`) a form. */
        FormMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "form";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description Sets a field: `.email ada@example.com`. */
        FieldMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "field";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description Completes forms with values. */
        ResultsMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "results";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description A report. Stored and published without effect. */
        ReportMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "report";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description A status. Stored and published without effect. */
        StatusMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "status";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
        };
        /** @description An upsert if `contact` is an object, otherwise a plain create. */
        ConversationInput: components["schemas"]["Upsert"] | components["schemas"]["PlainConversation"];
        /** @description Finds the contact by telephone or email, or creates it. Finds or creates its conversation, and posts into it (spec 5.7). */
        Upsert: {
            /** @description The organization of the record. Default: the caller's. */
            organization: string;
            /** @description The name. An empty text counts as absent. */
            name?: string;
            /**
             * @description The initiator of the conversation. The third word of event names.
             * @enum {string}
             */
            type?: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description The status. `queued`: waits for an agent. `active`: has an agent. `closed`: has ended.
             * @enum {string}
             */
            status?: "queued" | "active" | "closed";
            /** @description The name of the category. An empty text counts as absent. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language of the conversation. An empty text counts as absent. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The contact: its id, or its data. */
            contact: components["schemas"]["UpsertContact"];
            /**
             * @description The identifier that finds the contact. `all`: all given identifiers, and none may differ from the value of the contact. Default: `externalId`, then telephone, then email.
             * @enum {string}
             */
            match?: "externalId" | "telephone" | "email" | "all";
            /** @description Messages to post, in order. */
            messages: components["schemas"]["MessageInput"][];
        };
        /** @description A new conversation, for a contact without a conversation or for no contact. */
        PlainConversation: {
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The name. An empty text counts as absent. */
            name?: string;
            /**
             * @description The initiator of the conversation. The third word of event names.
             * @enum {string}
             */
            type?: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description The status. `queued`: waits for an agent. `active`: has an agent. `closed`: has ended.
             * @enum {string}
             */
            status?: "queued" | "active" | "closed";
            /** @description The name of the category. An empty text counts as absent. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language of the conversation. An empty text counts as absent. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The id of a contact without a conversation. */
            contact?: string;
            /**
             * @description The identifier that finds the contact. `all`: all given identifiers, and none may differ from the value of the contact. Default: `externalId`, then telephone, then email.
             * @enum {string}
             */
            match?: "externalId" | "telephone" | "email" | "all";
            /** @description Messages to post, in order. */
            messages?: components["schemas"]["MessageInput"][];
        };
        /** @description A value of the contact before the upsert. */
        ReplacedValue: {
            /** @description The field of the upsert. */
            path: string;
            /** @description The value that was replaced. */
            was: unknown;
        };
        /** @description A conversation whose contact was changed by an upsert. */
        UpsertedConversation: {
            /** @description The id of the conversation. */
            id: string;
            /** @description The last part of the address: the chat key. */
            slug: string;
            /**
             * Format: uri
             * @description The contact's chat page.
             */
            url: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name?: string;
            /**
             * @description The initiator of the conversation. The third word of event names.
             * @enum {string}
             */
            type: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description The status. `queued`: waits for an agent. `active`: has an agent. `closed`: has ended.
             * @enum {string}
             */
            status: "queued" | "active" | "closed";
            /** @description The name of the category. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language of the conversation. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The contact. */
            contact?: string;
            /** @description The ids of the newest 1,000 processed messages, in order. */
            messages: string[];
            /** @description The users who take part. */
            participants: components["schemas"]["Participant"][];
            /** @description The channels that were notified. */
            channels: string[];
            /** @description The channels that were not notified, because no member was online. */
            channelsOffline: string[];
            /** @description The touchpoints in use, by code. */
            touchpoints: {
                [key: string]: components["schemas"]["Touchpoint"];
            };
            /** @description The forms that are not complete. */
            forms: components["schemas"]["ConversationForm"][];
            /** @description The forms that were completed. */
            results: components["schemas"]["ConversationResult"][];
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description The end of the time out of the queue, after `/snooze`.
             */
            snoozedUntil?: string;
            /** @description The team to which the conversation is assigned. Guests do not see it. */
            team?: string;
            /** @description The labels, in lower case. Guests do not see them. */
            labels?: string[];
            /** @description The contact's last rating, from 1 to 5. Guests do not see it. */
            rating?: number;
            /**
             * Format: date-time
             * @description The time at which the last chat, card, postback or mention was processed. Without such a message, the time of creation. Nothing else changes it, so only messages move a conversation in lists sorted by it.
             */
            lastMessageAt: string;
            lastMessage?: components["schemas"]["LastMessage"];
            /**
             * Format: date-time
             * @description The time since which the contact waits for a reply, or for an agent to take the conversation from the queue. Absent if the contact does not wait.
             */
            waitingSince?: string;
            /**
             * Format: date-time
             * @description The time of the first message of the contact.
             */
            firstContactAt?: string;
            /**
             * Format: date-time
             * @description The time of the first reply of an agent or bot to the contact.
             */
            firstReplyAt?: string;
            /**
             * Format: date-time
             * @description The time at which the first participant accepted the conversation.
             */
            acceptedAt?: string;
            /**
             * Format: date-time
             * @description The time of the first closing. A later reopening does not change it.
             */
            closedAt?: string;
            /** @description The values of the contact that the upsert replaced. Values that were added are not listed. */
            replaced: components["schemas"]["ReplacedValue"][];
        };
        /** @description A ticket that opens a stream once, for a minute, without a token. */
        StreamTicket: {
            /**
             * Format: uri
             * @description The address of the stream with its ticket. `&after=` may be added. A second use returns 401, so a client that lost its connection creates a new ticket.
             */
            url: string;
            /**
             * Format: date-time
             * @description The expiry time.
             */
            expiresAt: string;
        };
        /** @description A user who takes part in the conversation. */
        ParticipantInput: {
            /** @description The user. */
            user: string;
            /** @description The role of the user when joining. */
            role?: string;
            /** @description The number of unread messages. */
            unreadCount?: number;
            /** @description Whether the user is working on the conversation. */
            active?: boolean;
            /** @description Whether the conversation is in the user's inbox: assigned, and not accepted yet. */
            inbox?: boolean;
            /** @description Whether the user has accepted the conversation. */
            accepted?: boolean;
            /** @description Whether the user follows the conversation. */
            follow?: boolean;
            /** @description A custom status. */
            status?: string;
        };
        /** @description A touchpoint that is in use. */
        TouchpointInput: {
            /** @description The ids of the services of the touchpoint. */
            services: string[];
            /** @description Whether the touchpoint is selected. */
            selected?: boolean;
        };
        /** @description A form that is not complete yet. */
        ConversationFormInput: {
            /** @description The id of the form. */
            form: string;
            /** @description The name of the form. */
            name: string;
            /**
             * @description A `static` form stays. A `topic` is picked.
             * @enum {string}
             */
            type?: "topic" | "static";
            /** @description The category under which the form was added. */
            category?: string;
            /** @description The index of that category. */
            categoryIndex?: number;
            /** @description The values filled in so far, by key. */
            values?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        ConversationPatch: {
            /** @description The name. */
            name?: string | null;
            /** @description The initiator of the conversation. The third word of event names. */
            type?: ("bot" | "contact" | "viewer" | "agent" | "admin" | "system") | null;
            /** @description The status. `queued`: waits for an agent. `active`: has an agent. `closed`: has ended. */
            status?: ("queued" | "active" | "closed") | null;
            /** @description The name of the category. */
            category?: string | null;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number | null;
            /** @description The language of the conversation. */
            language?: string | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
            /** @description A contact without a conversation, for a conversation without a contact. */
            contact?: string;
            /** @description All participants. */
            participants?: components["schemas"]["ParticipantInput"][] | null;
            /** @description All touchpoints in use, by code. */
            touchpoints?: {
                [key: string]: components["schemas"]["TouchpointInput"];
            } | null;
            /** @description All forms that are not complete. */
            forms?: components["schemas"]["ConversationFormInput"][] | null;
            /** @description The channels that were notified. */
            channels?: string[] | null;
            /** @description The channels that were not notified, because no member was online. */
            channelsOffline?: string[] | null;
        };
        /** @description The bots to unblock. */
        UnblockInput: {
            /** @description The bot. Default: all bots. */
            bot?: string;
        };
        /** @description The messages to process now. */
        HurryInput: {
            /** @description The message. Default: all delayed messages. */
            message?: string;
        };
        /** @description Whether the caller is typing to the contact. */
        Typing: {
            /** @description Whether the caller is typing, for the next ten seconds. */
            typing: boolean;
        };
        /** @description The reason why a reply by this channel would be refused. */
        CarrierRefusal: {
            /** @description `no_address`, `opted_out` or `unreachable`. */
            code: string;
            /** @description The reason in words. */
            message: string;
        };
        /** @description A channel that may carry a reply in the conversation. */
        Carrier: {
            /** @description The channel. */
            service: string;
            /** @description The name of the channel. */
            name: string;
            /** @description The type of the channel. */
            type: string;
            /** @description The touchpoint of the channel. */
            touchpoint: string;
            /**
             * @description The status of the channel. Replies wait unless it is `active`.
             * @enum {string}
             */
            status: "pending" | "active" | "failed" | "disabled";
            /** @description The address of the contact on the channel. */
            address?: string;
            /** @description Whether the channel carries replies that name no channel. */
            isDefault: boolean;
            refusal?: components["schemas"]["CarrierRefusal"];
        };
        /** @description A file of a conversation. */
        UploadedFile: {
            /** @description The id of the file. */
            id: string;
            /** @description The address of the file: the text of the message that sends the file. */
            url: string;
            /** @description The name of the file. */
            name: string;
            /** @description The media type, from the bytes. */
            type: string;
            /** @description The size in bytes. */
            bytes: number;
        };
        /** @description The addresses that continue the conversation, by touchpoint code. */
        Links: {
            /**
             * Format: uri
             * @description The contact's chat page.
             */
            web: string;
        } & {
            [key: string]: string;
        };
        /** @description The reason why the delivery failed. */
        MessageDeliveryError: {
            /** @description The provider's code, or a code of spec 15.3. */
            code: string;
            /** @description The reason in words. */
            message: string;
        };
        /** @description The delivery by a channel service (spec 15.4). */
        MessageDelivery: {
            /**
             * @description `queued`, `sent` to the provider, `delivered` to the contact, `read`, or permanently `failed`.
             * @enum {string}
             */
            status: "queued" | "sent" | "failed" | "delivered" | "read";
            /**
             * Format: date-time
             * @description The time of the status.
             */
            at: string;
            /** @description The service that carries the message. */
            service: string;
            /** @description The provider's id of the message. */
            externalId?: string;
            error?: components["schemas"]["MessageDeliveryError"];
        };
        /** @description A message of a conversation. */
        Message: components["schemas"]["ChatMessage"] | components["schemas"]["CardMessage"] | components["schemas"]["PostbackMessage"] | components["schemas"]["MentionMessage"] | components["schemas"]["TagMessage"] | components["schemas"]["SearchMessage"] | components["schemas"]["CommandMessage"] | components["schemas"]["FormMessage"] | components["schemas"]["FieldMessage"] | components["schemas"]["ResultsMessage"] | components["schemas"]["ReportMessage"] | components["schemas"]["StatusMessage"];
        /** @description A text, with or without list items and buttons. */
        ChatMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "chat";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description List items with a text. */
        CardMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "card";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description The payload of a button that was chosen. */
        PostbackMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "postback";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description Mentions users or bots by `meta.targetUser` and `meta.targetBot`. */
        MentionMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mention";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description A tag. Stored and published without effect. */
        TagMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tag";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description A search. Stored and published without effect. */
        SearchMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "search";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots. */
        CommandMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "command";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description Adds (`+name`) or removes (`-name`) a form. */
        FormMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "form";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description Sets a field: `.email ada@example.com`. */
        FieldMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "field";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description Completes forms with values. */
        ResultsMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "results";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description A report. Stored and published without effect. */
        ReportMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "report";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description A status. Stored and published without effect. */
        StatusMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "status";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
        };
        /** @description The author, if a user. */
        Author: {
            /** @description The id of the author. */
            id: string;
            /** @description The name. Absent if the author is not visible to you and has no name. */
            name?: string;
            /**
             * @description The role. Absent if the author is not visible to you.
             * @enum {string}
             */
            role?: "viewer" | "agent" | "bot" | "admin";
            /**
             * Format: uri
             * @description A picture.
             */
            avatar?: string;
        };
        /** @description A message with its author. */
        TimelineMessage: {
            /** @description The id of the message. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of the address. */
            slug: string;
            /**
             * Format: uri
             * @description The address of the message on the chat page.
             */
            url: string;
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @enum {string}
             */
            type: "chat" | "card" | "postback" | "mention" | "tag" | "search" | "command" | "form" | "field" | "results" | "report" | "status";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The number of the processed message in its conversation: 1, 2, 3 … without gaps. */
            sequence?: number;
            /**
             * Format: date-time
             * @description The time of processing. Absent while the message is delayed.
             */
            processedAt?: string;
            delivery?: components["schemas"]["MessageDelivery"];
            author?: components["schemas"]["Author"];
        };
        /** @description One message to post, or 1 to 100 in order. */
        MessageInputs: components["schemas"]["MessageInput"] | components["schemas"]["MessageInput"][];
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        MessagePatch: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][] | null;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
        };
        /** @description A message to post, with its conversation. */
        AddressedMessageInput: components["schemas"]["AddressedChatMessageInput"] | components["schemas"]["AddressedCardMessageInput"] | components["schemas"]["AddressedPostbackMessageInput"] | components["schemas"]["AddressedMentionMessageInput"] | components["schemas"]["AddressedTagMessageInput"] | components["schemas"]["AddressedSearchMessageInput"] | components["schemas"]["AddressedCommandMessageInput"] | components["schemas"]["AddressedFormMessageInput"] | components["schemas"]["AddressedFieldMessageInput"] | components["schemas"]["AddressedResultsMessageInput"] | components["schemas"]["AddressedReportMessageInput"] | components["schemas"]["AddressedStatusMessageInput"];
        /** @description A text, with or without list items and buttons. */
        AddressedChatMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type?: "chat";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description List items with a text. */
        AddressedCardMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "card";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description The payload of a button that was chosen. */
        AddressedPostbackMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "postback";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description Mentions users or bots by `meta.targetUser` and `meta.targetBot`. */
        AddressedMentionMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "mention";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description A tag. Stored and published without effect. */
        AddressedTagMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "tag";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description A search. Stored and published without effect. */
        AddressedSearchMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "search";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots. */
        AddressedCommandMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "command";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description Adds (`+name`) or removes (`-name`) a form. */
        AddressedFormMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "form";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description Sets a field: `.email ada@example.com`. */
        AddressedFieldMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "field";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description Completes forms with values. */
        AddressedResultsMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "results";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description A report. Stored and published without effect. */
        AddressedReportMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "report";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description A status. Stored and published without effect. */
        AddressedStatusMessageInput: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @constant
             */
            type: "status";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint?: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType?: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The conversation to post into. */
            conversation: string;
        };
        /** @description One message to post, or 1 to 100 in order, each with its conversation. */
        AddressedMessageInputs: components["schemas"]["AddressedMessageInput"] | components["schemas"]["AddressedMessageInput"][];
        /** @description The personal data of a contact. */
        ContactProfile: {
            /** @description The full name. */
            name?: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /**
             * Format: email
             * @description The email address, in lower case and with its domain in ASCII. Unique within the organization.
             */
            email?: string;
            /** @description The telephone number, stored as E.164 and unique within the organization. A number without `+` and country code is a number of the country of the organization. */
            telephone?: string;
            /** @description The language and region. */
            locale?: string;
            /** @description The postal address: a flat object of texts. */
            address?: {
                [key: string]: string;
            };
        };
        /** @description An address of the contact on a channel. */
        ContactIdentity: {
            /** @description The channel service. */
            service: string;
            /** @description The touchpoint of the service. */
            touchpoint: string;
            /** @description The provider's id of the person: a number, an account or an address. */
            id: string;
            /** @description The name that the provider shows. */
            name?: string;
            /**
             * Format: date-time
             * @description The time since which it is the contact's address on the service.
             */
            since: string;
            /**
             * Format: date-time
             * @description The time of the opt-out.
             */
            optedOutAt?: string;
            /**
             * Format: date-time
             * @description The time at which the provider reported the address as unreachable.
             */
            unreachableAt?: string;
        };
        /** @description A note of a user about a contact. */
        ContactNote: {
            /** @description The id of the note. */
            id: string;
            /** @description The text. */
            text: string;
            /** @description The author. */
            user: string;
            /**
             * Format: date-time
             * @description The creation time.
             */
            createdAt: string;
        };
        /** @description A person who writes to the organization. */
        Contact: {
            /** @description The id of the contact. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The conversation of the contact, if any. */
            conversation?: string;
            /** @description The id of the contact in another system, such as a CRM. Unique within the organization. */
            externalId?: string;
            profile: components["schemas"]["ContactProfile"];
            /** @description The addresses of the contact on channels. */
            identities?: components["schemas"]["ContactIdentity"][];
            /** @description The labels, in lower case. */
            labels?: string[];
            /** @description The notes of agents, the oldest first. The contact does not see them. */
            notes?: components["schemas"]["ContactNote"][];
            /** @description Whether what the contact writes is refused. Absent: no. */
            blocked?: boolean;
            /** @description Preferences: free-form like `meta`. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description The personal data of a contact. An empty text counts as absent. */
        NewContactProfile: {
            /** @description The full name. */
            name?: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /** @description The email address, in lower case and with its domain in ASCII. Unique within the organization. */
            email?: string;
            /** @description The telephone number, stored as E.164 and unique within the organization. A number without `+` and country code is a number of the country of the organization. */
            telephone?: string;
            /** @description The language and region. */
            locale?: string;
            /** @description The postal address: a flat object of texts. */
            address?: {
                [key: string]: string;
            };
        };
        /** @description A contact to create. */
        ContactInput: {
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The id of the contact in another system, such as a CRM. Unique within the organization. */
            externalId?: string;
            profile?: components["schemas"]["NewContactProfile"];
            /** @description Whether what the contact writes is refused. Absent: no. */
            blocked?: boolean;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        ContactPatch: {
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The id of the contact in another system, such as a CRM. Unique within the organization. */
            externalId?: string | null;
            /** @description The personal data of a contact. */
            profile?: components["schemas"]["ContactProfile"] | null;
            /** @description Whether what the contact writes is refused. Absent: no. */
            blocked?: boolean | null;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            } | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The contact to merge into the contact in the path. */
        ContactMerge: {
            /** @description The other contact of the organization. It is deleted. */
            contact: string;
        };
        /** @description A value that the surviving contact does not have. */
        ValueNotKept: {
            /** @description The field of the deleted contact. */
            path: string;
            /** @description The value of the field. */
            value: unknown;
        };
        /** @description The surviving contact. */
        MergedContact: {
            /** @description The id of the contact. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The conversation of the contact, if any. */
            conversation?: string;
            /** @description The id of the contact in another system, such as a CRM. Unique within the organization. */
            externalId?: string;
            profile: components["schemas"]["ContactProfile"];
            /** @description The addresses of the contact on channels. */
            identities?: components["schemas"]["ContactIdentity"][];
            /** @description The labels, in lower case. */
            labels?: string[];
            /** @description The notes of agents, the oldest first. The contact does not see them. */
            notes?: components["schemas"]["ContactNote"][];
            /** @description Whether what the contact writes is refused. Absent: no. */
            blocked?: boolean;
            /** @description Preferences: free-form like `meta`. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /** @description The values of the deleted contact that are lost, because the surviving contact has other values. */
            notKept: components["schemas"]["ValueNotKept"][];
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        ContactProfilePatch: {
            /** @description The full name. */
            name?: string | null;
            /** @description The first name. */
            givenName?: string | null;
            /** @description The last name. */
            familyName?: string | null;
            /** @description The email address, in lower case and with its domain in ASCII. Unique within the organization. */
            email?: string | null;
            /** @description The telephone number, stored as E.164 and unique within the organization. A number without `+` and country code is a number of the country of the organization. */
            telephone?: string | null;
            /** @description The language and region. */
            locale?: string | null;
            /** @description The postal address: a flat object of texts. */
            address?: {
                [key: string]: string;
            } | null;
        };
        /** @description Whether the contact is blocked. */
        ContactBlocked: {
            /** @description True blocks the contact, false unblocks the contact. */
            blocked: boolean;
        };
        /** @description A change of the labels of a contact. */
        ContactLabels: {
            /** @description Labels that the contact gets. */
            add?: string[];
            /** @description Labels that the contact loses. */
            remove?: string[];
        };
        /** @description A note about a contact. */
        ContactNoteInput: {
            /** @description The text of the note. */
            text: string;
        };
        /** @description An article for agents and bots. */
        KnowledgeItem: {
            /** @description The id of the knowledge item. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The title. */
            title: string;
            /** @description The content. */
            content?: string;
            /** @description A language, such as `en` or `nl-NL`. */
            language?: string;
            /** @description Keywords for finding the record. */
            tags: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description A knowledge item to create. */
        KnowledgeItemInput: {
            /** @description The title. */
            title: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The content. */
            content?: string;
            /** @description A language, such as `en` or `nl-NL`. */
            language?: string;
            /** @description Keywords for finding the record. */
            tags?: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        KnowledgeItemPatch: {
            /** @description The title. */
            title?: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The content. */
            content?: string | null;
            /** @description A language, such as `en` or `nl-NL`. */
            language?: string | null;
            /** @description Keywords for finding the record. */
            tags?: string[] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A field of a form. */
        FormField: {
            /** @description The label of the field. */
            name: string;
            /** @description The key of the value. */
            key: string;
        };
        /** @description A list of questions for a conversation. */
        Form: {
            /** @description The id of the form. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name: string;
            /**
             * @description A `static` form stays with a conversation. A `topic` is picked.
             * @enum {string}
             */
            type: "topic" | "static";
            /** @description The fields, in order. */
            fields: components["schemas"]["FormField"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description A form to create. */
        FormInput: {
            /** @description The name. */
            name: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /**
             * @description A `static` form stays with a conversation. A `topic` is picked.
             * @enum {string}
             */
            type?: "topic" | "static";
            /** @description The fields, in order. */
            fields?: components["schemas"]["FormField"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        FormPatch: {
            /** @description The name. */
            name?: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description A `static` form stays with a conversation. A `topic` is picked. */
            type?: ("topic" | "static") | null;
            /** @description The fields, in order. */
            fields?: components["schemas"]["FormField"][] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A channel as agents see it. */
        Team: {
            /** @description The id of the channel. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name: string;
            /** @description The number of members who are online. */
            online: number;
            /** @description Whether the caller is a member. */
            isMember: boolean;
        };
        /** @description A member of a channel. */
        ChannelMember: {
            /** @description The user. */
            user: string;
            /** @description Whether the member is online. A user with status `offline` counts as offline. */
            online: boolean;
        };
        /** @description A group of agents who are notified together. */
        Channel: {
            /** @description The id of the channel. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name: string;
            /** @description The users to notify when a conversation needs an agent. */
            members: components["schemas"]["ChannelMember"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description A member of a channel. */
        ChannelMemberInput: {
            /** @description The user. */
            user: string;
            /** @description Whether the member is online. */
            online?: boolean;
        };
        /** @description A channel to create. */
        ChannelInput: {
            /** @description The name. */
            name: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The users to notify when a conversation needs an agent. */
            members?: components["schemas"]["ChannelMemberInput"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        ChannelPatch: {
            /** @description The name. */
            name?: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The users to notify when a conversation needs an agent. */
            members?: components["schemas"]["ChannelMemberInput"][] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Whether the caller is online in the channel. */
        ChannelOnline: {
            /** @description Whether the member is online. */
            online: boolean;
        };
        /** @description The address of a webhook or channel, and the events of a webhook. */
        WebhookParams: {
            /**
             * Format: uri
             * @description The address that receives events. Credentials in the address become an Authorization header. Without an address, events wait to be pulled. For type `email`: the SMTP server, such as smtps://smtp.example.com.
             */
            url?: string;
            /** @description The secret that signs requests: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes. */
            secret?: string;
            /** @description Patterns `resource.operation.conversationType.messageType.role`. `*` is any word. A shorter pattern is a prefix. Default: all events. */
            events?: string[];
            /** @description Only for type `api`: the touchpoint of the channel. */
            touchpoint?: string;
            /** @description Only for type `twilio`: the account. */
            accountSid?: string;
            /** @description Only for type `twilio`: the auth token. Never returned. */
            authToken?: string;
            /** @description Only for type `twilio`: the telephone number of the channel. */
            number?: string;
            /** @description Only for type `twilio`: a messaging service instead of the number. */
            messagingServiceSid?: string;
            /** @description Only for type `email`: the IMAP server whose INBOX is read. */
            imapUrl?: string;
            /** @description Only for type `email`: the address of the channel. */
            address?: string;
            /** @description Only for type `email`: the display name of the address. */
            fromName?: string;
            /** @description Only for type `email`: lines below each mail. */
            signature?: string;
            /** @description Only for type `email`: the name of the DKIM key that signs mail, if the SMTP server does not sign. */
            dkimSelector?: string;
            /** @description Only for type `email`: the user at the mail servers. */
            username?: string;
            /** @description Only for type `email`: the password of the user. Never returned. */
            password?: string;
            /** @description Only for type `email`: the address that issues access tokens, for a login by OAuth 2. */
            tokenUrl?: string;
            /** @description Only for type `email`: the OAuth 2 client. */
            clientId?: string;
            /** @description Only for type `email`: the secret of the OAuth 2 client. Never returned. */
            clientSecret?: string;
            /** @description Only for type `email`: the refresh token of the user. Never returned. Without it, the client itself sends. */
            refreshToken?: string;
            /** @description Only for type `email`: the scope of access tokens. */
            scope?: string;
        };
        /** @description The DNS record of type TXT with which receivers verify signatures. */
        DkimRecord: {
            /** @description The name of the record. */
            name: string;
            /** @description The value of the record. */
            value: string;
        };
        /** @description Whether the mailbox of a channel can be read. */
        MailboxHealth: {
            /**
             * @description `active`: new mail is read. `failed`: it waits.
             * @enum {string}
             */
            status: "active" | "failed";
            /** @description The reason why the mailbox cannot be read, in words. */
            reason?: string;
            /**
             * Format: date-time
             * @description The time since which the mailbox has the status.
             */
            since: string;
        };
        /** @description A webhook or a channel. */
        Service: {
            /** @description The id of the service. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name: string;
            /** @description `webhook`, or the type of a channel: `api`, `twilio` or `email`. */
            type: string;
            /** @description A bot. The service then receives only events that involve the bot, without its own messages. */
            user?: string;
            params: components["schemas"]["WebhookParams"];
            /** @description The touchpoint of a channel. */
            touchpoint?: string;
            /** @description The names of the secret params of a channel, which are never returned. */
            secrets?: string[];
            /** @description The names of the account and the number at the provider of a channel. */
            verifiedAs?: string;
            /** @description The address for posts of the provider of a channel. Parlance sets the address at Twilio. For type `email`, set the address at a provider that posts mail. */
            inboundUrl?: string;
            /** @description The address at which a channel of type `email` receives mail, if Parlance receives mail. Forward the address of the channel to this address. */
            inboundAddress?: string;
            dkimRecord?: components["schemas"]["DkimRecord"];
            mailbox?: components["schemas"]["MailboxHealth"];
            /**
             * @description The status. `active`: receives events. `pending`: being verified. `failed`: refused, and its events wait. `disabled`: receives no events.
             * @enum {string}
             */
            status: "pending" | "active" | "failed" | "disabled";
            /** @description The reason why the service is not active, in words. */
            statusReason?: string;
            /**
             * Format: date-time
             * @description The time of the last verification.
             */
            verifiedAt?: string;
            /**
             * Format: date-time
             * @description The time since which no event has arrived.
             */
            failingSince?: string;
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description A webhook or a channel to register. */
        ServiceInput: {
            /** @description The name. */
            name: string;
            /** @description `webhook`, or the type of a channel: `api`, `twilio` or `email`. */
            type: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description A bot. The service then receives only events that involve the bot, without its own messages. */
            user?: string;
            params: components["schemas"]["WebhookParams"];
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        ServicePatch: {
            /** @description The name. */
            name?: string;
            /** @description `webhook`, or the type of a channel: `api`, `twilio` or `email`. */
            type?: string;
            /** @description A bot. The service then receives only events that involve the bot, without its own messages. */
            user?: string | null;
            params?: components["schemas"]["WebhookParams"];
            /**
             * @description `disabled` pauses the service. `active` verifies it and sends held deliveries.
             * @enum {string}
             */
            status?: "pending" | "active" | "failed" | "disabled";
        };
        /** @description The example to send. Without a body: a sample. */
        WebhookTestInput: {
            /** @description The event, without `*`. Its documented example is delivered through the delivery log. Missing words default to a chat message of a contact. */
            event?: string;
        };
        /** @description The result of a test. */
        WebhookTest: {
            /** @description The event that was sent. */
            event: string;
            /** @description With `event` in the body: the delivery in the log. */
            delivery?: string;
            /** @description The duration in milliseconds. */
            durationMs?: number;
            /**
             * @description The outcome of the attempt.
             * @enum {string}
             */
            outcome?: "delivered" | "rejected" | "timed_out" | "unreachable" | "private_address" | "refused" | "throttled" | "broken";
            /** @description The HTTP status of the response. */
            status?: number;
            /** @description The first 16 KiB of the response. */
            response?: string;
            /** @description The reason for a missing response, or the target of a redirect. */
            reason?: string;
            /** @description The number of requests, if more than one: an idle connection closed during the first request. */
            requests?: number;
        };
        /** @description The body of any webhook. `event` is its type. */
        WebhookEvent: components["schemas"]["MessageCreated"] | components["schemas"]["MessageUpdated"] | components["schemas"]["MessageDeleted"] | components["schemas"]["MessageReceipt"] | components["schemas"]["ConversationCreated"] | components["schemas"]["ConversationUpdated"] | components["schemas"]["ConversationDeleted"] | components["schemas"]["ContactCreated"] | components["schemas"]["ContactUpdated"] | components["schemas"]["ContactDeleted"] | components["schemas"]["UserCreated"] | components["schemas"]["UserUpdated"] | components["schemas"]["UserDeleted"] | components["schemas"]["UserLoggedIn"] | components["schemas"]["OrganizationCreated"] | components["schemas"]["OrganizationUpdated"] | components["schemas"]["OrganizationDeleted"] | components["schemas"]["OrganizationGroupCreated"] | components["schemas"]["OrganizationGroupUpdated"] | components["schemas"]["OrganizationGroupDeleted"] | components["schemas"]["FormCreated"] | components["schemas"]["FormUpdated"] | components["schemas"]["FormDeleted"] | components["schemas"]["ChannelCreated"] | components["schemas"]["ChannelUpdated"] | components["schemas"]["ChannelDeleted"] | components["schemas"]["ServiceCreated"] | components["schemas"]["ServiceUpdated"] | components["schemas"]["ServiceDeleted"] | components["schemas"]["ServiceFailed"] | components["schemas"]["EventTypeCreated"] | components["schemas"]["EventTypeUpdated"] | components["schemas"]["EventTypeDeleted"] | components["schemas"]["EventTypeFailed"] | components["schemas"]["KnowledgeItemCreated"] | components["schemas"]["KnowledgeItemUpdated"] | components["schemas"]["KnowledgeItemDeleted"];
        /** @description Events that have been handled. */
        Acknowledgement: {
            /** @description The `id` of each event, in any order. */
            ids: string[];
        };
        /** @description The result of an acknowledgement. */
        Acknowledged: {
            /** @description The number of acknowledged events. Other ids were acknowledged before, or are unknown. */
            acknowledged: number;
        };
        /** @description The sender of the entry. */
        InboundSender: {
            /** @description The provider's id of the person. */
            id: string;
            /** @description The name. */
            name?: string;
            /** @description The telephone number. */
            telephone?: string;
            /** @description The email address. */
            email?: string;
            /** @description Whether the person opts out with this entry (STOP), or in again (START). */
            optedOut?: boolean;
        };
        /** @description A message of the contact. */
        InboundMessage: {
            /** @description The text, or an address for other values of `contentType`. */
            text: string;
            /**
             * @description The type of the message. Default chat.
             * @enum {string}
             */
            type?: "chat" | "postback";
            /**
             * @description The media type of `text`.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description The messages that one person sent at once. */
        InboundEntry: {
            /** @description The provider's id. A second entry of the service with the same id is posted once. */
            id: string;
            /**
             * Format: date-time
             * @description The time of sending.
             */
            at?: string;
            from: components["schemas"]["InboundSender"];
            /** @description The messages, in order. */
            messages: components["schemas"]["InboundMessage"][];
        };
        /** @description Entries that the provider of a channel received. */
        InboundInput: {
            /** @description The entries. Entries of one person are posted in this order. */
            entries: components["schemas"]["InboundEntry"][];
        };
        /** @description The accepted entries. */
        InboundAccepted: {
            /** @description The number of stored entries. They are posted within moments. */
            accepted: number;
        };
        /** @description The reason why the delivery failed. */
        ReceiptErrorInput: {
            /** @description The provider's code. `opted_out` and `unreachable` also mark the contact's address. */
            code: string;
            /** @description The reason in words. */
            message?: string;
        };
        /** @description A receipt of a message that the service carries. */
        ReceiptInput: {
            /** @description The message. */
            message: string;
            /**
             * @description The status of the message. A status that is not higher changes nothing.
             * @enum {string}
             */
            status: "sent" | "failed" | "delivered" | "read";
            /**
             * Format: date-time
             * @description The time of the status. Default now.
             */
            at?: string;
            /** @description The provider's id of the message. */
            externalId?: string;
            error?: components["schemas"]["ReceiptErrorInput"];
        };
        /** @description Receipts of messages that the service carries. */
        ReceiptsInput: {
            /** @description The receipts, in any order. */
            receipts: components["schemas"]["ReceiptInput"][];
        };
        /** @description The accepted receipts. */
        ReceiptsAccepted: {
            /** @description The number of receipts of messages that the service carries. */
            accepted: number;
            /** @description The number of other receipts, which are not stored. */
            unknown: number;
        };
        /** @description The deliveries to send again. */
        ReplayInput: {
            /**
             * Format: date-time
             * @description The start of the range, in ISO 8601.
             */
            since: string;
            /**
             * @description The status of the deliveries. Default: all that never arrived.
             * @enum {string}
             */
            status?: "delivered" | "failed" | "skipped";
        };
        /** @description The result of a replay. */
        Replay: {
            /** @description The number of deliveries that this request queued. */
            replayed: number;
            /** @description The number of deliveries since that time that were already pending. */
            pending: number;
        };
        /** @description A delivery in a list. */
        ListedDelivery: {
            /** @description Event and service: `{eventId}:{service}`. */
            id: string;
            /** @description The name of the event, as in the body. */
            event: string;
            /** @description The `id` in the body. */
            eventId: string;
            /** @description The webhook that receives the event. */
            service: string;
            /** @description The organization of the service. */
            organization: string;
            /** @description The conversation of the event. */
            conversation?: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description The status. `pending`: to be sent. `failed`: given up. `skipped`: never sent, because the service is disabled.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "skipped";
            /**
             * @description `in`: a post of a channel. Absent: an event for a service.
             * @enum {string}
             */
            direction?: "in";
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the delivery arrived or was given up.
             */
            finishedAt?: string;
            /**
             * Format: date-time
             * @description The time of removal. For a pending delivery, present only while its service is not active.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description The next attempt of a pending delivery. Behind another delivery of the conversation: the latest time of the next check. Absent while the service is not active.
             */
            nextAttemptAt?: string;
            /** @description The number of attempts. */
            attemptCount: number;
        };
        /** @description One attempt to deliver an event. */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description The start of the attempt.
             */
            at: string;
            /** @description The duration in milliseconds. */
            durationMs: number;
            /**
             * @description The outcome of the attempt.
             * @enum {string}
             */
            outcome: "delivered" | "rejected" | "timed_out" | "unreachable" | "private_address" | "refused" | "throttled" | "broken";
            /** @description The HTTP status of the response. */
            status?: number;
            /** @description The first 16 KiB of the response. */
            response?: string;
            /** @description The reason for a missing response, or the target of a redirect. */
            reason?: string;
            /** @description The number of requests, if more than one: an idle connection closed during the first request. */
            requests?: number;
            /** @description The outcome of the messages in the response. */
            reply?: string;
        };
        /** @description A file at the provider. */
        InboundMedia: {
            /** @description The address of the file at the provider. */
            url: string;
            /** @description The media type that the provider declares. */
            type: string;
        };
        /** @description An entry that a channel received. */
        ReceivedEntry: {
            /** @description The provider's id. A second entry of the service with the same id is posted once. */
            id: string;
            /**
             * Format: date-time
             * @description The time of sending.
             */
            at?: string;
            from: components["schemas"]["InboundSender"];
            /** @description The messages, in order. */
            messages: components["schemas"]["InboundMessage"][];
            /** @description Files to fetch from the provider. */
            media?: components["schemas"]["InboundMedia"][];
        };
        /** @description An event for a webhook, with every attempt. */
        Delivery: {
            /** @description Event and service: `{eventId}:{service}`. */
            id: string;
            /** @description The name of the event, as in the body. */
            event: string;
            /** @description The `id` in the body. */
            eventId: string;
            /** @description The webhook that receives the event. */
            service: string;
            /** @description The organization of the service. */
            organization: string;
            /** @description The conversation of the event. */
            conversation?: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description The status. `pending`: to be sent. `failed`: given up. `skipped`: never sent, because the service is disabled.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "skipped";
            /**
             * @description `in`: a post of a channel. Absent: an event for a service.
             * @enum {string}
             */
            direction?: "in";
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time at which the delivery arrived or was given up.
             */
            finishedAt?: string;
            /**
             * Format: date-time
             * @description The time of removal. For a pending delivery, present only while its service is not active.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description The next attempt of a pending delivery. Behind another delivery of the conversation: the latest time of the next check. Absent while the service is not active.
             */
            nextAttemptAt?: string;
            /** @description The number of attempts. */
            attemptCount: number;
            /** @description All attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            body?: components["schemas"]["WebhookEvent"];
            entry?: components["schemas"]["ReceivedEntry"];
            /** @description A post of a provider without a message. */
            post?: string;
        };
        /** @description A kind of business event, with the expression for its messages. */
        EventType: {
            /** @description The id of the event type. */
            id: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name, unique in the organization. */
            name: string;
            /** @description The description. */
            description?: string;
            /** @description The JSONata expression. It returns `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata?: string;
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
        };
        /** @description An event type to create. */
        EventTypeInput: {
            /** @description words of letters, digits, "_" and "-" joined by dots, as in order.created */
            name: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The description. */
            description?: string;
            /** @description The JSONata expression. It returns `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata?: string;
        };
        /** @description The fields to change. A missing field keeps its value. Null clears a field. */
        EventTypePatch: {
            /** @description words of letters, digits, "_" and "-" joined by dots, as in order.created */
            name?: string;
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The description. */
            description?: string | null;
            /** @description The JSONata expression. It returns `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata?: string | null;
        };
        /** @description The whole event type, without its name. */
        EventTypeByName: {
            /** @description The organization of the record. Default: the caller's. */
            organization?: string;
            /** @description The description. */
            description?: string;
            /** @description The JSONata expression. It returns `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata?: string;
        };
        /** @description A business event as a CloudEvent 1.0, in structured form. */
        CloudEvent: {
            /**
             * @description The version of CloudEvents.
             * @constant
             */
            specversion: "1.0";
            /** @description The id of the event at the `source`. An equal id and source are the same event. */
            id: string;
            /** @description The source of the event. */
            source: string;
            /** @description The type of the event: its name, if the path has no name. */
            type: string;
            /** @description The body. Default null. */
            data?: unknown;
        };
        /** @description A business event as a form. A repeated field becomes the list of its texts. */
        FormEvent: {
            [key: string]: string;
        };
        /** @description The value of `$event` in the preview. */
        EventFacts: {
            /** @description A generated id, which no event has. */
            id: string;
            /** @description The name of the event. */
            name: string;
            /**
             * Format: date-time
             * @description The time of acceptance.
             */
            time: string;
            /** @description The organization of the sender. */
            organization: string;
            /** @description The headers of the request that expressions may read, in lower case. */
            headers?: {
                [key: string]: string;
            };
            /** @description The attributes of a CloudEvent, with its extensions: texts, numbers, true or false. */
            cloudEvent?: {
                [key: string]: unknown;
            };
        };
        /** @description The contact of an upsert. */
        EventPreviewContact: {
            /** @description The id of the contact in another system, such as a CRM. Unique within the organization. */
            externalId?: string;
            /** @description Keys to set. Null removes a key. Other keys stay. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description Keys to set. Null removes a key. Other keys stay. */
            settings?: {
                [key: string]: unknown;
            };
            profile: components["schemas"]["ContactProfile"];
        };
        /** @description A message that would be posted. */
        EventPreviewMessage: {
            /** @description The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction. */
            text: string;
            /**
             * @description The type of the message.
             * @enum {string}
             */
            type: "chat" | "card" | "postback" | "mention" | "tag" | "search" | "command" | "form" | "field" | "results" | "report" | "status";
            /**
             * @description The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description The media type of `text`. Only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description The sender. Default: the caller. Another user needs scope bot. */
            user?: string;
            /** @description The id of the external service that mirrors the message. */
            service?: string;
            /** @description The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web. */
            touchpoint: string;
            /** @description Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator. */
            delay?: number;
            /**
             * Format: date-time
             * @description The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.
             */
            sendAt?: string;
            /** @description List items. Only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests cannot be combined with other types. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms. Only for type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider: `api`, `webhook`, or a configured kind. */
            serviceType: string;
            /** @description Your own id of the message. A second message with the same id in a conversation returns the first message (200). */
            externalId?: string;
            /** @description The author of the message. */
            createdBy: string;
        };
        /** @description The messages that would be posted into one conversation. */
        EventPreviewResult: {
            /** @description Whether the conversation would be created. */
            created: boolean;
            /** @description The conversation. */
            conversation?: string;
            contact?: components["schemas"]["EventPreviewContact"];
            /** @description The messages, in order. */
            messages: components["schemas"]["EventPreviewMessage"][];
        };
        /** @description The messages that an event would post. */
        EventPreview: {
            /**
             * @description The outcome that the event would have.
             * @enum {string}
             */
            status: "processed" | "ignored";
            event: components["schemas"]["EventFacts"];
            /** @description The messages that would be posted, by conversation. */
            results: components["schemas"]["EventPreviewResult"][];
            /** @description The fields of the result that were ignored, and their probable names. */
            hint?: string;
        };
        /** @description The events of a type to run again. */
        EventTypeRetryInput: {
            /**
             * Format: date-time
             * @description The earliest time of arrival, in ISO 8601.
             */
            since: string;
            /**
             * @description The status of the events. Default `failed`.
             * @enum {string}
             */
            status?: "failed" | "ignored";
        };
        /** @description The result of a retry. */
        RetriedEvents: {
            /** @description The number of events that run again. */
            retried: number;
        };
        /** @description A signature that is an HMAC of the post. */
        HmacSignature: {
            /** @description the name of the header that has the signature, in letters, digits, "-" and "_" */
            header: string;
            /**
             * @description The algorithm. Default `sha256`.
             * @enum {string}
             */
            algorithm?: "sha256" | "sha512" | "sha1";
            /**
             * @description The encoding. Default `hex`.
             * @enum {string}
             */
            encoding?: "hex" | "base64";
            /** @description what precedes the signature, in visible ASCII characters but "," and ";" */
            prefix?: string;
            /** @description The signed content: `{body}`, and any of `{timestamp}`, `{id}` and `{url}`, the address itself. Default `{body}`. */
            content?: string;
            /** @description the name of the header that has the id of the event, in letters, digits, "-" and "_" */
            idHeader?: string;
            /** @description the name of the header that has the signed time (seconds, milliseconds or ISO 8601), in letters, digits, "-" and "_" */
            timestampHeader?: string;
            /** @description what precedes the time, where its header has several parts, in visible ASCII characters but "," and ";" */
            timestampPrefix?: string;
        };
        /** @description An address for a system that accepts only a URL. */
        IngestAddress: {
            /** @description The event type of the posts. */
            eventtype: string;
            /** @description The author of the posts. */
            user: string;
            /** @description The signature of the posts: the name of a known sender, or a description. Absent: the posts are not signed. */
            signature?: ("standard-webhooks" | "github" | "stripe" | "shopify" | "slack") | components["schemas"]["HmacSignature"];
            /** @description The user who created the address. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: uri
             * @description The address. Returned only when the address is created.
             */
            url?: string;
        };
        /** @description An ingest address to create. */
        IngestAddressInput: {
            /** @description The author of the posts: a bot of the organization of the event type, or below it. */
            user: string;
            /** @description The secret that signs the posts. Without a secret, any post is accepted. For `standard-webhooks`: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes. For other senders: the secret as the sender shows it. */
            secret?: string;
            /** @description The signature of the posts: the name of a known sender, or a description. Default `standard-webhooks`. */
            signature?: ("standard-webhooks" | "github" | "stripe" | "shopify" | "slack") | components["schemas"]["HmacSignature"];
            /** @description The token that Meta sends with its challenge (`hub.verify_token`). With the token, an address with a secret returns the challenge too. */
            verifyToken?: string;
        };
        /** @description An example of `$event`. Its id, time and organization are set. */
        EventContextDraft: {
            /** @description words of letters, digits, "_" and "-" joined by dots, as in order.created */
            name?: string;
            /** @description The headers of the request that expressions may read, in lower case. */
            headers?: {
                [key: string]: string;
            };
            /** @description The attributes of a CloudEvent, with its extensions: texts, numbers, true or false. */
            cloudEvent?: {
                [key: string]: unknown;
            };
        };
        /** @description An unsaved expression, and an event to evaluate it on. */
        ExpressionDraft: {
            /** @description The JSONata expression. It returns `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata: string;
            /** @description The body of the event. */
            body: unknown;
            event?: components["schemas"]["EventContextDraft"];
        };
        /** @description The headers and attributes in `$event`. Lists leave it out. */
        EventContext: {
            /** @description The headers of the request that expressions may read, in lower case. */
            headers?: {
                [key: string]: string;
            };
            /** @description The attributes of a CloudEvent, with its extensions: texts, numbers, true or false. */
            cloudEvent?: {
                [key: string]: unknown;
            };
        };
        /** @description A problem in a field of the result. */
        BusinessEventErrorDetail: {
            /** @description The dotted path of the field. */
            path: string;
            /** @description The problem of the field. */
            message: string;
        };
        /** @description The reason why the event failed. */
        BusinessEventError: {
            /** @description The reason in words. */
            message: string;
            /** @description The invalid fields. */
            details?: components["schemas"]["BusinessEventErrorDetail"][];
        };
        /** @description A business event with its outcome. */
        BusinessEvent: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description The outcome. `processed`: posted. `ignored`: nothing to post. `failed`: see `error`. `unrouted`: waits for an event type.
             * @enum {string}
             */
            status: "received" | "processed" | "ignored" | "failed" | "unrouted";
            /** @description The conversations with messages of the event. */
            conversations: string[];
            /** @description The posted messages. */
            messages: string[];
            /** @description The fields of the result that were ignored, and their probable names. */
            hint?: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name of the event type. */
            name: string;
            /** @description The event type. Absent if the event is `unrouted`. */
            eventtype?: string;
            /** @description The body. Lists leave out bodies above 16 KiB. */
            body?: unknown;
            context?: components["schemas"]["EventContext"];
            error?: components["schemas"]["BusinessEventError"];
            /** @description The number of repetitions: signed posts without an id and with the same bytes, within 24 hours. */
            repeats?: number;
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description The time of the last run.
             */
            processedAt?: string;
        };
        /** @description The unrouted events to run. */
        UnroutedRetryInput: {
            /** @description The name of the events. */
            name: string;
            /**
             * Format: date-time
             * @description The earliest time of arrival, in ISO 8601.
             */
            since: string;
        };
        /** @description The outcome of a business event. */
        BusinessEventOutcome: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description The outcome. `processed`: posted. `ignored`: nothing to post. `failed`: see `error`. `unrouted`: waits for an event type.
             * @enum {string}
             */
            status: "received" | "processed" | "ignored" | "failed" | "unrouted";
            /** @description The conversations with messages of the event. */
            conversations: string[];
            /** @description The posted messages. */
            messages: string[];
            /** @description The fields of the result that were ignored, and their probable names. */
            hint?: string;
        };
        /** @description A form with a file. */
        FileForm: {
            /** @description The conversation. This field must precede the file. */
            conversation?: string;
            /**
             * Format: binary
             * @description The file, with its name.
             */
            file: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
        };
        /** @description The author of the activity. */
        ActivityActor: {
            /** @description The type of the actor in ActivityStreams 2. */
            type: string;
            /** @description The address of the actor in this API. */
            id: string;
        };
        /** @description The object of the activity. */
        ActivityObject: {
            /** @description The type of the object in ActivityStreams 2. */
            type: string;
            /** @description The address of the object in this API. */
            id?: string;
            /** @description The page that shows the object. */
            url?: string;
            /** @description The name of the object. */
            name?: string;
            /** @description The text of the object. */
            content?: string;
            /** @description The media type of the text. */
            mediaType?: string;
        };
        /** @description The event as an activity of ActivityStreams 2. */
        Activity: {
            /**
             * @description The JSON-LD context. Constant.
             * @constant
             */
            "@context": "https://www.w3.org/ns/activitystreams";
            /** @description The type of the activity. */
            type: string;
            actor: components["schemas"]["ActivityActor"];
            object: components["schemas"]["ActivityObject"];
            /**
             * Format: date-time
             * @description The time of the event.
             */
            published: string;
            /** @description The activity in words. */
            summary: string;
        };
        /** @description A conversation at the time of the event, without its list of messages. */
        ConversationSnapshot: {
            /** @description The id of the conversation. */
            id: string;
            /** @description The last part of the address: the chat key. */
            slug: string;
            /**
             * Format: uri
             * @description The contact's chat page.
             */
            url: string;
            /** @description The organization of the record. */
            organization: string;
            /** @description The name. */
            name?: string;
            /**
             * @description The initiator of the conversation. The third word of event names.
             * @enum {string}
             */
            type: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description The status. `queued`: waits for an agent. `active`: has an agent. `closed`: has ended.
             * @enum {string}
             */
            status: "queued" | "active" | "closed";
            /** @description The name of the category. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language of the conversation. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The contact. */
            contact?: string;
            /** @description The users who take part. */
            participants: components["schemas"]["Participant"][];
            /** @description The channels that were notified. */
            channels: string[];
            /** @description The channels that were not notified, because no member was online. */
            channelsOffline: string[];
            /** @description The touchpoints in use, by code. */
            touchpoints: {
                [key: string]: components["schemas"]["Touchpoint"];
            };
            /** @description The forms that are not complete. */
            forms: components["schemas"]["ConversationForm"][];
            /** @description The forms that were completed. */
            results: components["schemas"]["ConversationResult"][];
            /** @description The user who created the record. */
            createdBy: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description The end of the time out of the queue, after `/snooze`.
             */
            snoozedUntil?: string;
            /** @description The team to which the conversation is assigned. Guests do not see it. */
            team?: string;
            /** @description The labels, in lower case. Guests do not see them. */
            labels?: string[];
            /** @description The contact's last rating, from 1 to 5. Guests do not see it. */
            rating?: number;
            /**
             * Format: date-time
             * @description The time at which the last chat, card, postback or mention was processed. Without such a message, the time of creation. Nothing else changes it, so only messages move a conversation in lists sorted by it.
             */
            lastMessageAt: string;
            lastMessage?: components["schemas"]["LastMessage"];
            /**
             * Format: date-time
             * @description The time since which the contact waits for a reply, or for an agent to take the conversation from the queue. Absent if the contact does not wait.
             */
            waitingSince?: string;
            /**
             * Format: date-time
             * @description The time of the first message of the contact.
             */
            firstContactAt?: string;
            /**
             * Format: date-time
             * @description The time of the first reply of an agent or bot to the contact.
             */
            firstReplyAt?: string;
            /**
             * Format: date-time
             * @description The time at which the first participant accepted the conversation.
             */
            acceptedAt?: string;
            /**
             * Format: date-time
             * @description The time of the first closing. A later reopening does not change it.
             */
            closedAt?: string;
        };
        /** @description The webhook body of `message.create`. */
        MessageCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /** @description The event, with the types of the conversation and of the message. */
            event: string;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description Messages to post into the conversation of the event. */
        WebhookReply: {
            /** @description The author's access token or API key. */
            token: string;
            /** @description The messages, in order. */
            messages: components["schemas"]["MessageInput"][];
        };
        /** @description The webhook body of `message.update`. */
        MessageUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /** @description The event, with the types of the conversation and of the message. */
            event: string;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description The webhook body of `message.delete`. */
        MessageDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /** @description The event, with the types of the conversation and of the message. */
            event: string;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description The reason why the delivery failed. */
        ReceiptError: {
            /** @description The provider's code, or a code of spec 15.3. */
            code: string;
            /** @description The reason in words. */
            message: string;
        };
        /** @description The delivery status of a message that a channel carries. */
        DeliveryReceipt: {
            /**
             * @description The current status of the message.
             * @enum {string}
             */
            status: "sent" | "failed" | "delivered" | "read";
            /**
             * Format: date-time
             * @description The time of the status.
             */
            at: string;
            /** @description The service that carries the message. */
            service: string;
            /** @description The provider's id of the message. */
            externalId?: string;
            error?: components["schemas"]["ReceiptError"];
        };
        /** @description The webhook body of `message.receipt`. */
        MessageReceipt: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /** @description The event, with the types of the conversation and of the message. */
            event: string;
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                message: components["schemas"]["Message"];
                receipt: components["schemas"]["DeliveryReceipt"];
            };
        };
        /** @description The webhook body of `conversation.create`. */
        ConversationCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "conversation.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description The webhook body of `conversation.update`. */
        ConversationUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "conversation.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `conversation.delete`. */
        ConversationDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "conversation.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description A contact at the time of the event. Only ids if the contact was deleted with its conversation. */
        ContactSnapshot: {
            /** @description The id of the contact. */
            id: string;
            /** @description The organization of the record. */
            organization?: string;
            /** @description The conversation of the contact, if any. */
            conversation?: string;
            /** @description The id of the contact in another system, such as a CRM. Unique within the organization. */
            externalId?: string;
            profile?: components["schemas"]["ContactProfile"];
            /** @description The addresses of the contact on channels. */
            identities?: components["schemas"]["ContactIdentity"][];
            /** @description The labels, in lower case. */
            labels?: string[];
            /** @description The notes of agents, the oldest first. The contact does not see them. */
            notes?: components["schemas"]["ContactNote"][];
            /** @description Whether what the contact writes is refused. Absent: no. */
            blocked?: boolean;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The user who created the record. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description The time of creation.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description The time of the last change.
             */
            updatedAt?: string;
        };
        /** @description The webhook body of `contact.create`. */
        ContactCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "contact.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                contact: components["schemas"]["ContactSnapshot"];
                conversation?: components["schemas"]["ConversationSnapshot"];
                links?: components["schemas"]["Links"];
            };
        };
        /** @description The webhook body of `contact.update`. */
        ContactUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "contact.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                contact: components["schemas"]["ContactSnapshot"];
                conversation?: components["schemas"]["ConversationSnapshot"];
                links?: components["schemas"]["Links"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `contact.delete`. */
        ContactDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "contact.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                contact: components["schemas"]["ContactSnapshot"];
                conversation?: components["schemas"]["ConversationSnapshot"];
                links?: components["schemas"]["Links"];
            };
        };
        /** @description The webhook body of `user.create`. */
        UserCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description The webhook body of `user.update`. */
        UserUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                user: components["schemas"]["User"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `user.delete`. */
        UserDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description The webhook body of `user.login`. */
        UserLoggedIn: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.login";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description The webhook body of `organization.create`. */
        OrganizationCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "organization.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                organization: components["schemas"]["Organization"];
            };
        };
        /** @description The webhook body of `organization.update`. */
        OrganizationUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "organization.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                organization: components["schemas"]["Organization"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `organization.delete`. */
        OrganizationDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "organization.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                organization: components["schemas"]["Organization"];
            };
        };
        /** @description The webhook body of `orggroup.create`. */
        OrganizationGroupCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "orggroup.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                orggroup: components["schemas"]["OrganizationGroup"];
            };
        };
        /** @description The webhook body of `orggroup.update`. */
        OrganizationGroupUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "orggroup.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                orggroup: components["schemas"]["OrganizationGroup"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `orggroup.delete`. */
        OrganizationGroupDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "orggroup.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                orggroup: components["schemas"]["OrganizationGroup"];
            };
        };
        /** @description The webhook body of `form.create`. */
        FormCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "form.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                form: components["schemas"]["Form"];
            };
        };
        /** @description The webhook body of `form.update`. */
        FormUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "form.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                form: components["schemas"]["Form"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `form.delete`. */
        FormDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "form.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                form: components["schemas"]["Form"];
            };
        };
        /** @description The webhook body of `channel.create`. */
        ChannelCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "channel.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                channel: components["schemas"]["Channel"];
            };
        };
        /** @description The webhook body of `channel.update`. */
        ChannelUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "channel.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                channel: components["schemas"]["Channel"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `channel.delete`. */
        ChannelDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "channel.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                channel: components["schemas"]["Channel"];
            };
        };
        /** @description The webhook body of `service.create`. */
        ServiceCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                service: components["schemas"]["Service"];
            };
        };
        /** @description The webhook body of `service.update`. */
        ServiceUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                service: components["schemas"]["Service"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `service.delete`. */
        ServiceDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                service: components["schemas"]["Service"];
            };
        };
        /** @description The reason why the event was given up, or the service became inactive. */
        ServiceFailure: {
            /** @description The reason in words. */
            reason: string;
            /** @description The last attempted delivery. */
            delivery: string;
            /** @description The event of the delivery. */
            event: string;
            /**
             * @description The outcome of the attempt.
             * @enum {string}
             */
            outcome: "delivered" | "rejected" | "timed_out" | "unreachable" | "private_address" | "refused" | "throttled" | "broken";
            /**
             * Format: date-time
             * @description The time of the attempt.
             */
            at: string;
            /** @description The HTTP status of the response. */
            status?: number;
        };
        /** @description The webhook body of `service.error`. */
        ServiceFailed: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.error";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                service: components["schemas"]["Service"];
                error: components["schemas"]["ServiceFailure"];
            };
        };
        /** @description The webhook body of `eventtype.create`. */
        EventTypeCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "eventtype.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                eventtype: components["schemas"]["EventType"];
            };
        };
        /** @description The webhook body of `eventtype.update`. */
        EventTypeUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "eventtype.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                eventtype: components["schemas"]["EventType"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `eventtype.delete`. */
        EventTypeDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "eventtype.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                eventtype: components["schemas"]["EventType"];
            };
        };
        /** @description The error of an event that failed. */
        EventTypeFailure: {
            /** @description The error in words. */
            message: string;
            /** @description The invalid fields of the result, 20 at most. */
            details?: components["schemas"]["BusinessEventErrorDetail"][];
            /** @description The event that failed. `GET /events/{id}` returns its body. */
            event: string;
            /** @description The name of the event. */
            name: string;
            /**
             * Format: date-time
             * @description The time of arrival.
             */
            at: string;
            /** @description The number of failed events of the type since the last such notification, including this event. */
            count: number;
        };
        /** @description The webhook body of `eventtype.error`. */
        EventTypeFailed: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "eventtype.error";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                eventtype: components["schemas"]["EventType"];
                error: components["schemas"]["EventTypeFailure"];
            };
        };
        /** @description The webhook body of `kbitem.create`. */
        KnowledgeItemCreated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "kbitem.create";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                kbitem: components["schemas"]["KnowledgeItem"];
            };
        };
        /** @description The webhook body of `kbitem.update`. */
        KnowledgeItemUpdated: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "kbitem.update";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                kbitem: components["schemas"]["KnowledgeItem"];
                /** @description The previous values of the changed fields. Null: the field was absent. */
                previous?: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The webhook body of `kbitem.delete`. */
        KnowledgeItemDeleted: {
            /** @description The id of the event, the same in retries, in replays and for all services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "kbitem.delete";
            /**
             * Format: date-time
             * @description The time of the event.
             */
            timestamp: string;
            /** @description The organization of the event. */
            organization: string;
            /** @description The number of the event in its conversation, or in its organization if it has no conversation. */
            sequence: number;
            /**
             * @description Marks an example sent by `POST /services/{id}/test`.
             * @constant
             */
            test?: true;
            activity: components["schemas"]["Activity"];
            /** @description The records at the time of the event. */
            data: {
                kbitem: components["schemas"]["KnowledgeItem"];
            };
        };
        Operations: {
            /** @description Log in, or refresh an expired token. Signs in with `email` and `password`, and with `otp` if the user has one-time passwords. Or returns new tokens for `refreshToken` and `clientId`, without an Authorization header, after the access token has expired. Ten failures in 15 minutes for one email lock the email for 15 minutes (429). Needs no authentication. */
            "POST /auth/token": {
                body: components["schemas"]["TokenInput"];
                answer: components["schemas"]["Token"];
            };
            /** @description Refresh a valid token. Returns new tokens for a refresh token while the access token is valid. A refresh token is valid once. A second use ends the whole session. Needs scope guest. */
            "GET /auth/token": {
                query: {
                    refreshToken: string;
                };
                answer: components["schemas"]["Token"];
            };
            /** @description Set a password by a link. Sets the password of the user of a password link, and ends their sessions. `token` is the part of the link after `#/password/`. A link works once. Needs no Authorization header. Needs no authentication. */
            "PUT /auth/password": {
                body: components["schemas"]["PasswordInput"];
                answer: components["schemas"]["PasswordSet"];
            };
            /** @description Send a link for setting a password by mail. Sends a link for setting a password to the email of an agent or an admin. The response is the same for every email. The link is valid for an hour, and works once. 422 if the server sends no mail. Needs no authentication. */
            "POST /auth/password-reset": {
                body: components["schemas"]["PasswordResetInput"];
            };
            /** @description End this session. Ends the session of the token. Its access and refresh tokens are refused from then on. Needs scope guest. Needs a session: API keys are refused. */
            "POST /auth/logout": Record<string, never>;
            /** @description Run many requests. Runs the requests in the lines of the body, newline-delimited JSON. The response has one line per request, in the same order. Needs scope guest. */
            "POST /batch": {
                body: components["schemas"]["BatchLine"];
                answer: components["schemas"]["BatchResult"];
            };
            /** @description List organizations. Returns a page of the organizations in your organization and below it. Filter by any field. Every key of `settings`, `meta` is a filter too, written with a dot: `settings.key=value`. Needs scope bot. */
            "GET /organizations": {
                answer: components["schemas"]["Organization"][];
            };
            /** @description Create an organization. Creates an organization. `Location` has its address. Needs scope admin. */
            "POST /organizations": {
                body: components["schemas"]["OrganizationInput"];
                answer: components["schemas"]["Organization"];
            };
            /** @description Fetch an organization. Returns an organization, in the shape that `select` and `populate` set. Needs scope bot. */
            "GET /organizations/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Organization"];
            };
            /** @description Change an organization. Changes the fields in the body, and returns the whole organization. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope admin. */
            "PATCH /organizations/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["OrganizationPatch"];
                answer: components["schemas"]["Organization"];
            };
            /** @description Delete an organization. Deletes the organization. Later requests for it return 404. Needs scope admin. */
            "DELETE /organizations/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Fetch a report of conversation counts and waiting times. Counts the conversations created in a range of time, in the organization and below it. Returns the median and the p90 of the times until they were accepted, replied to and closed. Needs scope bot. */
            "GET /organizations/{id}/report": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Report"];
            };
            /** @description List an organization's own and inherited timers. Returns the timers of an organization and of the organizations above it, nearest first. The first timer with a name takes effect. Needs scope bot. */
            "GET /organizations/{id}/timers": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["OwnedTimer"][];
            };
            /** @description Fetch the creation time of the widget secret. Returns the creation time of the widget secret, never the secret. Needs scope admin. */
            "GET /organizations/{id}/widget/secret": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["WidgetSecret"];
            };
            /** @description Create a widget secret, returned only once. Creates a secret with which a website signs its known visitors. Only this response has the secret. The previous secret stays valid for a day. Needs scope admin. */
            "POST /organizations/{id}/widget/secret": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["WidgetSecret"];
            };
            /** @description Delete the widget secrets. Deletes the secret and the previous secret. Signatures of visitors are no longer valid. Needs scope admin. */
            "DELETE /organizations/{id}/widget/secret": {
                path: {
                    id: string;
                };
            };
            /** @description List organization groups. Returns a page of the organization groups in your organization and below it. Filter by any field. Every key of `meta` is a filter too, written with a dot: `meta.key=value`. Needs scope bot. */
            "GET /orggroups": {
                answer: components["schemas"]["OrganizationGroup"][];
            };
            /** @description Create an organization group. Creates an organization group. `Location` has its address. Needs scope admin. */
            "POST /orggroups": {
                body: components["schemas"]["OrganizationGroupInput"];
                answer: components["schemas"]["OrganizationGroup"];
            };
            /** @description Fetch an organization group. Returns an organization group, in the shape that `select` and `populate` set. Needs scope bot. */
            "GET /orggroups/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["OrganizationGroup"];
            };
            /** @description Change an organization group. Changes the fields in the body, and returns the whole organization group. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope admin. */
            "PATCH /orggroups/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["OrganizationGroupPatch"];
                answer: components["schemas"]["OrganizationGroup"];
            };
            /** @description Delete an organization group. Deletes the organization group. Later requests for it return 404. Needs scope admin. */
            "DELETE /orggroups/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List the people of the caller's organization. Returns the agents and admins of the caller's own organization, to whom a conversation can be assigned, with name, picture and status. Needs scope agent. */
            "GET /users/colleagues": {
                answer: components["schemas"]["Colleague"][];
            };
            /** @description List users. Returns a page of the users in your organization and below it. Filter by any field. Every key of `settings`, `meta` is a filter too, written with a dot: `settings.key=value`. Needs scope bot. */
            "GET /users": {
                answer: components["schemas"]["User"][];
            };
            /** @description Create a user. Creates a person, or a bot with role bot. A missing email is generated, and is the `clientId` of a bot. Needs scope admin. */
            "POST /users": {
                body: components["schemas"]["UserInput"];
                answer: components["schemas"]["User"];
            };
            /** @description Fetch a user; `me` is the caller. Returns a user, in the shape that `select` and `populate` set. Needs scope bot; for the caller's own record, guest. */
            "GET /users/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["User"];
            };
            /** @description Change a user. Changes the fields in the body, and returns the whole user. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope admin; for the caller's own record, guest. */
            "PATCH /users/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["UserPatch"];
                answer: components["schemas"]["User"];
            };
            /** @description Delete a user. Deletes the user. Later requests for it return 404. Needs scope admin. */
            "DELETE /users/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Fetch a user; `me` is the caller. Returns the user of the token. Needs scope guest. */
            "GET /users/me": {
                answer: components["schemas"]["User"];
            };
            /** @description Change a user. Changes the user of the token. A new email or password needs `currentPassword`, and a session instead of an API key. Needs scope guest. */
            "PATCH /users/me": {
                body: components["schemas"]["UserPatch"];
                answer: components["schemas"]["User"];
            };
            /** @description Create a secret for one-time passwords. Returns a secret for an authenticator app. The secret takes effect when `confirmOtp` verifies a one-time password. Needs scope guest. Needs a session: API keys are refused. */
            "POST /users/me/otp": {
                body: components["schemas"]["OtpProposal"];
                answer: components["schemas"]["OtpSecret"];
            };
            /** @description Confirm the secret and enable one-time passwords. Verifies a one-time password of the new secret. From then on, a login needs a one-time password. Needs scope guest. Needs a session: API keys are refused. */
            "PUT /users/me/otp": {
                body: components["schemas"]["OtpInput"];
            };
            /** @description Disable one-time passwords. Verifies a one-time password and deletes the secret. From then on, a login needs no one-time password. Needs scope guest. Needs a session: API keys are refused. */
            "DELETE /users/me/otp": {
                body: components["schemas"]["OtpInput"];
            };
            /** @description Disable the one-time passwords of another user. Removes the one-time passwords of a user who has lost the authenticator. From then on, the login of the user needs none. Needs scope admin. Needs a session: API keys are refused. */
            "DELETE /users/{id}/otp": {
                path: {
                    id: string;
                };
            };
            /** @description Create a link for setting a password. Returns a link for a person without a password, or with a forgotten password. The link works once, for three days. An API key gets no link. Needs scope admin. Needs a session: API keys are refused. */
            "POST /users/{id}/password-link": {
                path: {
                    id: string;
                };
                body?: components["schemas"]["PasswordLinkInput"];
                answer: components["schemas"]["PasswordLink"];
            };
            /** @description List a user's API keys. Returns the API keys of a user, without `token`. Needs scope admin. */
            "GET /users/{id}/apikeys": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["ApiKey"][];
            };
            /** @description Create an API key. Creates an API key. Only this response has its `token`. Needs scope admin. */
            "POST /users/{id}/apikeys": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ApiKeyInput"];
                answer: components["schemas"]["ApiKey"];
            };
            /** @description Revoke an API key. Revokes an API key. It is refused at once, and by other processes within five seconds. Needs scope admin. */
            "DELETE /users/{id}/apikeys/{key}": {
                path: {
                    id: string;
                    key: string;
                };
            };
            /** @description List conversations. Returns a page of the conversations within reach. Filter by any field. A filter on `meta` needs a filter on id, type, participants.user, status, createdAt, categoryIndex, category, organization or updatedAt as well. Every key of `meta`, `touchpoints`, `forms.values` is a filter too, written with a dot: `meta.key=value`. Needs scope agent. */
            "GET /conversations": {
                answer: components["schemas"]["Conversation"][];
            };
            /** @description Create or upsert a conversation. With `contact` as an object, an *upsert*: finds the contact by `externalId`, telephone or email, or by `match`, or creates the contact; finds the conversation (200) or creates it (201); and posts the messages. Else a *plain create* of a conversation, for a contact without a conversation or for no contact. Needs scope agent. */
            "POST /conversations": {
                body: components["schemas"]["ConversationInput"];
                answer: components["schemas"]["Conversation"] | components["schemas"]["UpsertedConversation"];
            };
            /** @description Search conversations. Returns conversations whose name, forms, results or contact have, for each word of `q`, a word with that beginning. Ignores case and accents. Accepts `limit`, `offset`, `select` and `populate` like a list. Needs scope agent. */
            "GET /conversations/search": {
                query: {
                    q: string;
                };
                answer: components["schemas"]["Conversation"][];
            };
            /** @description Stream changed conversations. Streams new and changed conversations of the caller's organization and the organizations below it, as server-sent events within a second or two. Earlier changes are in `listConversations`. Needs scope agent. */
            "GET /conversations/stream": {
                /** @description Server-sent events `conversation`, each `{id, updatedAt, lastMessageAt}` of a new or changed conversation. For changes without a connection, use `GET /conversations?updatedAt=>=…`. */
                answer: string;
            };
            /** @description Fetch a conversation. Returns a conversation, in the shape that `select` and `populate` set. Needs scope guest. */
            "GET /conversations/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Conversation"];
            };
            /** @description Repair a conversation. Repairs a conversation. Normally, messages change a conversation: `/set`, `/assign`, `/accept`, `/leave`. A nested object or list in the body replaces the stored value as a whole. Needs scope admin. */
            "PATCH /conversations/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ConversationPatch"];
                answer: components["schemas"]["Conversation"];
            };
            /** @description Delete a conversation with its contact, messages, deliveries and histories. Deletes the conversation with its contact, messages, deliveries and histories. For test data and erasure requests. Needs scope admin. */
            "DELETE /conversations/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Stream the events of a conversation. Streams the events of the conversation as server-sent events. `Last-Event-ID` or `after` is the position to resume from. A browser's EventSource opens the address that `createStreamTicket` returns. Needs scope guest. */
            "GET /conversations/{id}/stream": {
                path: {
                    id: string;
                };
                /** @description Server-sent events. `message`: a new message; an edited message, with the same `id`; `{id, sequence, deletedAt}` of a deleted message. `typing`: the person who types. `read`: the position to which the contact has read. `receipt`: `{conversation, message, delivery}` of a message that a channel carries. `conversation`: first, and after each change. `heartbeat`: every 15 seconds. A client that reconnects with `Last-Event-ID` misses no event. */
                answer: string;
            };
            /** @description Create a stream address for a browser's EventSource. Returns an address that opens the stream once, within a minute, without a token. Needs scope guest. */
            "POST /conversations/{id}/stream/ticket": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["StreamTicket"];
            };
            /** @description Unblock bots that a loop rule blocks. Resets the bot-loop counters of a bot in the conversation, or of all bots. The bot may post again at once. Needs scope admin. */
            "POST /conversations/{id}/unblock": {
                path: {
                    id: string;
                };
                body?: components["schemas"]["UnblockInput"];
                answer: components["schemas"]["Conversation"];
            };
            /** @description Process delayed messages now. Processes the delayed messages at once, in the order of their times, or only the message in the body. Needs scope admin. */
            "POST /conversations/{id}/hurry": {
                path: {
                    id: string;
                };
                body?: components["schemas"]["HurryInput"];
                answer: components["schemas"]["Conversation"];
            };
            /** @description Mark a conversation as read by the caller. Sets the caller's `unreadCount` to 0. Needs scope guest. */
            "PUT /conversations/{id}/read": {
                path: {
                    id: string;
                };
            };
            /** @description Show or hide the caller's typing indicator. Shows that the caller is typing to the contact, for ten seconds or until `false`. Streams send it. It is not a message, and webhooks do not receive it. Needs scope agent. */
            "PUT /conversations/{id}/typing": {
                path: {
                    id: string;
                };
                body: components["schemas"]["Typing"];
            };
            /** @description List the channels that may carry a reply. Returns the channels of the organization, with the contact's address on each, and the reason why a reply would be refused. Empty without a contact or a channel. Needs scope agent. */
            "GET /conversations/{id}/carriers": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Carrier"][];
            };
            /** @description Create a transcript, a file of the conversation. Creates a text file with the messages that the contact sees, at most the newest 5,000. To send the file, post a message with its `url` as text. A file without a message is removed after a day. Needs scope agent. */
            "POST /conversations/{id}/transcript": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["UploadedFile"];
            };
            /** @description Fetch a conversation's links. Returns the addresses that continue the conversation, by touchpoint code. `web` is the chat page. Needs scope guest. */
            "GET /conversations/{id}/links": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Links"];
            };
            /** @description Fetch a conversation's links. Returns the same as `getConversationLinks`, with the conversation in the query. Needs scope guest. */
            "GET /links": {
                query: {
                    conversation: string;
                };
                answer: components["schemas"]["Links"];
            };
            /** @description List a conversation's messages. Returns the messages of one conversation, in order unless `sort` sets another. Filter by any field. Every key of `items.actions.meta`, `actions.meta`, `results.values`, `meta` is a filter too, written with a dot: `items.actions.meta.key=value`. Needs scope bot. */
            "GET /conversations/{id}/messages": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Message"][];
            };
            /** @description Post messages into a conversation. Posts one message, or a list of 1 to 100. All are accepted or none, and processed in order. Returns a message for a message, a list for a list. Needs scope guest. */
            "POST /conversations/{id}/messages": {
                path: {
                    id: string;
                };
                body: components["schemas"]["MessageInputs"];
                answer: components["schemas"]["Message"] | components["schemas"]["Message"][];
            };
            /** @description List a conversation's messages with the names of their authors. Returns the messages of a conversation that the caller may see, with the name, role and picture of the author. Accepts the parameters of lists. Needs scope agent. */
            "GET /conversations/{id}/timeline": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["TimelineMessage"][];
            };
            /** @description List messages. Returns a page of messages. Filter by any field. A filter on id, organization, conversation, type, role or createdAt is required. Delayed messages are returned for `processedAt=!`, or by id. Every key of `items.actions.meta`, `actions.meta`, `results.values`, `meta` is a filter too, written with a dot: `items.actions.meta.key=value`. Needs scope bot. */
            "GET /messages": {
                answer: components["schemas"]["Message"][];
            };
            /** @description Post messages. Posts one message, or a list of 1 to 100 into one conversation. All are accepted or none, and processed in order. `isBackchannel` defaults to false for the roles contact and agent, else to true: only the people who staff the conversation see the message. A command with wrong arguments is refused (422). An unknown command is stored without effect, and reported in `X-Hint` and `meta.hint`. Needs scope guest. */
            "POST /messages": {
                body: components["schemas"]["AddressedMessageInputs"];
                answer: components["schemas"]["Message"] | components["schemas"]["Message"][];
            };
            /** @description Search messages, newest first. Returns messages whose text, items or results have, for each word of `q`, a word with that beginning, newest first. Ignores case and accents. `conversation` narrows the search. Needs scope agent. */
            "GET /messages/search": {
                query: {
                    q: string;
                };
                answer: components["schemas"]["Message"][];
            };
            /** @description Fetch a message. Returns a message, in the shape that `select` and `populate` set. Needs scope bot. */
            "GET /messages/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Message"];
            };
            /** @description Update a message, or reschedule a delayed message. Changes text, actions, items and meta. Webhooks and streams receive the change. Needs scope bot; to cancel or reschedule your own delayed message, the scope that posted it. */
            "PATCH /messages/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["MessagePatch"];
                answer: components["schemas"]["Message"];
            };
            /** @description Delete a message, or cancel a delayed message. Deletes a message. A delayed message is cancelled. Needs scope admin; to cancel or reschedule your own delayed message, the scope that posted it. */
            "DELETE /messages/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List contacts. Returns a page of the contacts in your organization and below it. Filter by any field. Every key of `profile.address`, `settings`, `meta` is a filter too, written with a dot: `profile.address.key=value`. Needs scope agent. */
            "GET /contacts": {
                answer: components["schemas"]["Contact"][];
            };
            /** @description Create a contact. Creates a contact. `Location` has its address. Needs scope bot. */
            "POST /contacts": {
                body: components["schemas"]["ContactInput"];
                answer: components["schemas"]["Contact"];
            };
            /** @description Fetch a contact. Returns a contact, in the shape that `select` and `populate` set. Needs scope bot. */
            "GET /contacts/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Contact"];
            };
            /** @description Change a contact. Changes the fields in the body, and returns the whole contact. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope bot. */
            "PATCH /contacts/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ContactPatch"];
                answer: components["schemas"]["Contact"];
            };
            /** @description Delete a contact and its conversations. Deletes a contact, with its conversation and everything in it. Needs scope admin. */
            "DELETE /contacts/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Merge a duplicate into a contact. Moves the conversations and missing values from the contact in the body to the contact in the path. Deletes the contact in the body. Needs scope admin. */
            "POST /contacts/{id}/merge": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ContactMerge"];
                answer: components["schemas"]["MergedContact"];
            };
            /** @description Fetch a contact's profile. Returns the profile of the contact. Its `ETag` is for `If-Match` of `updateContactProfile`. Needs scope agent. */
            "GET /contacts/{id}/profile": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["ContactProfile"];
            };
            /** @description Update a contact's profile. Changes the given fields of the profile and returns the profile. Null clears a field. Concurrent changes of other fields stay. With `If-Match`, the tag is that of the profile. Needs scope agent. */
            "PATCH /contacts/{id}/profile": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ContactProfilePatch"];
                answer: components["schemas"]["ContactProfile"];
            };
            /** @description Block or unblock a contact. Blocks or unblocks the contact and returns the contact. What a blocked contact writes is refused. Needs scope agent. */
            "PUT /contacts/{id}/blocked": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ContactBlocked"];
                answer: components["schemas"]["Contact"];
            };
            /** @description Add and remove labels of a contact. Adds and removes labels of a contact, and returns the contact. Concurrent changes of other labels stay. Needs scope agent. */
            "POST /contacts/{id}/labels": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ContactLabels"];
                answer: components["schemas"]["Contact"];
            };
            /** @description Create a note about a contact. Adds a note about a contact, which other users see and the contact does not. Needs scope agent. */
            "POST /contacts/{id}/notes": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ContactNoteInput"];
                answer: components["schemas"]["ContactNote"];
            };
            /** @description Delete a note about a contact. Deletes a note about a contact. Only its author and scope admin may delete a note. Needs scope agent. */
            "DELETE /contacts/{id}/notes/{note}": {
                path: {
                    id: string;
                    note: string;
                };
            };
            /** @description List knowledge items. Returns a page of the knowledge items in your organization and below it. Filter by any field. Every key of `meta` is a filter too, written with a dot: `meta.key=value`. Needs scope agent. */
            "GET /kbitems": {
                answer: components["schemas"]["KnowledgeItem"][];
            };
            /** @description Create a knowledge item. Creates a knowledge item. `Location` has its address. Needs scope agent. */
            "POST /kbitems": {
                body: components["schemas"]["KnowledgeItemInput"];
                answer: components["schemas"]["KnowledgeItem"];
            };
            /** @description Fetch a knowledge item. Returns a knowledge item, in the shape that `select` and `populate` set. Needs scope agent. */
            "GET /kbitems/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["KnowledgeItem"];
            };
            /** @description Change a knowledge item. Changes the fields in the body, and returns the whole knowledge item. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope agent. */
            "PATCH /kbitems/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["KnowledgeItemPatch"];
                answer: components["schemas"]["KnowledgeItem"];
            };
            /** @description Delete a knowledge item. Deletes the knowledge item. Later requests for it return 404. Needs scope bot. */
            "DELETE /kbitems/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List forms. Returns a page of the forms in your organization and below it. Filter by any field. Every key of `meta` is a filter too, written with a dot: `meta.key=value`. Needs scope bot. */
            "GET /forms": {
                answer: components["schemas"]["Form"][];
            };
            /** @description Create a form. Creates a form. `Location` has its address. Needs scope bot. */
            "POST /forms": {
                body: components["schemas"]["FormInput"];
                answer: components["schemas"]["Form"];
            };
            /** @description Fetch a form. Returns a form, in the shape that `select` and `populate` set. Needs scope admin. */
            "GET /forms/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Form"];
            };
            /** @description Change a form. Changes the fields in the body, and returns the whole form. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope bot. */
            "PATCH /forms/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["FormPatch"];
                answer: components["schemas"]["Form"];
            };
            /** @description Delete a form. Deletes the form. Later requests for it return 404. Needs scope admin. */
            "DELETE /forms/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List the teams to which a conversation can be assigned. Returns the channels within reach with the number of members who are online, without the members. A conversation is assigned to one by `/assign` with `meta.team`. Needs scope agent. */
            "GET /channels/teams": {
                answer: components["schemas"]["Team"][];
            };
            /** @description List channels. Returns a page of the channels in your organization and below it. Filter by any field. Every key of `meta` is a filter too, written with a dot: `meta.key=value`. Needs scope bot. */
            "GET /channels": {
                answer: components["schemas"]["Channel"][];
            };
            /** @description Create a channel. Creates a channel. `Location` has its address. Needs scope admin. */
            "POST /channels": {
                body: components["schemas"]["ChannelInput"];
                answer: components["schemas"]["Channel"];
            };
            /** @description Fetch a channel. Returns a channel, in the shape that `select` and `populate` set. Needs scope bot. */
            "GET /channels/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Channel"];
            };
            /** @description Change a channel. Changes the fields in the body, and returns the whole channel. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope admin. */
            "PATCH /channels/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ChannelPatch"];
                answer: components["schemas"]["Channel"];
            };
            /** @description Delete a channel. Deletes the channel. Later requests for it return 404. Needs scope admin. */
            "DELETE /channels/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Set the caller's online status in a channel. Sets whether the caller, a member of the channel, is online. Needs scope agent. */
            "PUT /channels/{id}/online": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ChannelOnline"];
                answer: components["schemas"]["Channel"];
            };
            /** @description List services. Returns a page of the services in your organization and below it. Filter by any field. Needs scope admin. */
            "GET /services": {
                answer: components["schemas"]["Service"][];
            };
            /** @description Register a webhook. Registers a webhook and verifies it: `GET {url}?type=subscribe&challenge={random}` must return 200. The response is 201 either way. `status` and `statusReason` have the result. Needs scope admin. */
            "POST /services": {
                body: components["schemas"]["ServiceInput"];
                answer: components["schemas"]["Service"];
            };
            /** @description Fetch a service. Returns a service, in the shape that `select` and `populate` set. Needs scope admin. */
            "GET /services/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Service"];
            };
            /** @description Change a service. Changes a webhook. `params` is replaced as a whole. A new url is verified. `status`: `disabled` pauses the webhook, `active` verifies it and sends the held deliveries. Needs scope admin. */
            "PATCH /services/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ServicePatch"];
                answer: components["schemas"]["Service"];
            };
            /** @description Delete a service. Deletes the service. Later requests for it return 404. Needs scope admin. */
            "DELETE /services/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Verify a webhook again. Verifies a webhook again, as on its creation. Needs scope admin. */
            "POST /services/{id}/verify": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Service"];
            };
            /** @description Send a test event to a webhook. Sends an example to a webhook, with `test: true` in its body. With `event` (202), it is delivered like a real event: through the delivery log, with retries, to pulled and paused webhooks too. Without `event` (200), it is sent at once, also to a webhook that is not active, and the response has the result. It is not logged and not retried. Needs scope admin. */
            "POST /services/{id}/test": {
                path: {
                    id: string;
                };
                body?: components["schemas"]["WebhookTestInput"];
                answer: components["schemas"]["WebhookTest"];
            };
            /** @description Pull the events of a webhook without an address. Needs scope admin; bot for the bot of the service. */
            "GET /services/{id}/events": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["WebhookEvent"][];
            };
            /** @description Acknowledge pulled events. Needs scope admin; bot for the bot of the service. */
            "POST /services/{id}/events/ack": {
                path: {
                    id: string;
                };
                body: components["schemas"]["Acknowledgement"];
                answer: components["schemas"]["Acknowledged"];
            };
            /** @description Post entries that a channel adapter received. Stores the entries that a channel adapter received, before it responds. Each entry is posted as an upsert by the identity of its sender. An entry with a known id is posted once. Needs scope bot. */
            "POST /services/{id}/inbound": {
                path: {
                    id: string;
                };
                body: components["schemas"]["InboundInput"];
                answer: components["schemas"]["InboundAccepted"];
            };
            /** @description Report receipts of messages that a channel carries. Raises `delivery` of messages that the channel carries. A receipt whose status is not higher changes nothing, so receipts may be repeated and arrive in any order. Needs scope bot. */
            "POST /services/{id}/receipts": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ReceiptsInput"];
                answer: components["schemas"]["ReceiptsAccepted"];
            };
            /** @description Send events to a webhook again. Sends stored bodies since a time again, newly signed: deliveries with the given status, or deliveries that never arrived. Needs scope admin. */
            "POST /services/{id}/replay": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ReplayInput"];
                answer: components["schemas"]["Replay"];
            };
            /** @description List deliveries. Returns a page of the deliveries to the webhooks of your organization and below it. Filter by any field. Needs scope admin. */
            "GET /deliveries": {
                answer: components["schemas"]["ListedDelivery"][];
            };
            /** @description Fetch a delivery with its attempts. Returns a delivery with its body and every attempt: its time, its outcome, and the first 16 KiB of the response. Needs scope admin. */
            "GET /deliveries/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Delivery"];
            };
            /** @description Send a delivery again. Sends the stored body again, newly signed. Needs scope admin. */
            "POST /deliveries/{id}/retry": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Delivery"];
            };
            /** @description List event types. Returns a page of the event types in your organization and below it. Filter by any field. Needs scope admin. */
            "GET /eventtypes": {
                answer: components["schemas"]["EventType"][];
            };
            /** @description Create an event type. Creates an event type. `Location` has its address. Needs scope admin. */
            "POST /eventtypes": {
                body: components["schemas"]["EventTypeInput"];
                answer: components["schemas"]["EventType"];
            };
            /** @description Fetch an event type. Returns an event type, in the shape that `select` and `populate` set. Needs scope admin. */
            "GET /eventtypes/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["EventType"];
            };
            /** @description Change an event type. Changes the fields in the body, and returns the whole event type. Null clears an optional field. A nested object or list replaces the stored value as a whole. With `Content-Type: application/merge-patch+json`, nested objects are merged instead (RFC 7396), and null removes a nested field. Needs scope admin. */
            "PATCH /eventtypes/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["EventTypePatch"];
                answer: components["schemas"]["EventType"];
            };
            /** @description Delete an event type. Deletes the event type. Later requests for it return 404. Needs scope admin. */
            "DELETE /eventtypes/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Create or replace an event type by name. Creates the event type with this name, or replaces it as a whole. A field that the body leaves out is cleared. An ingest address stays valid. Needs scope admin. */
            "PUT /eventtypes/by-name/{name}": {
                path: {
                    name: string;
                };
                body: components["schemas"]["EventTypeByName"];
                answer: components["schemas"]["EventType"];
            };
            /** @description Set an event type's expression. Stores the body as the JSONata expression. An expression that cannot be parsed is refused (422), with the position and the reason. Needs scope admin. */
            "PUT /eventtypes/{id}/jsonata": {
                path: {
                    id: string;
                };
                /** @description The JSONata expression. It returns `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
                body: string;
                answer: components["schemas"]["EventType"];
            };
            /** @description Preview the messages of an event. Evaluates a body as an event of this type, and returns the messages. Nothing is posted. Needs scope admin. */
            "POST /eventtypes/{id}/preview": {
                path: {
                    id: string;
                };
                /** @description The event: any JSON that the expression of the event type accepts. */
                body: unknown;
                answer: components["schemas"]["EventPreview"];
            };
            /** @description Retry the failed events of an event type. Runs events that failed (or were ignored) since a time again, one by one in the order of arrival. Returns their number. The run survives crashes of processes. Needs scope admin. */
            "POST /eventtypes/{id}/retry": {
                path: {
                    id: string;
                };
                body: components["schemas"]["EventTypeRetryInput"];
                answer: components["schemas"]["RetriedEvents"];
            };
            /** @description Fetch an event type's ingest address, without its token. Returns the user and the signature of the ingest address. The address itself is not returned again. Needs scope admin. */
            "GET /eventtypes/{id}/ingest": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["IngestAddress"];
            };
            /** @description Create or replace the ingest address of an event type. Creates an address (`{PUBLIC_URL}/in/{token}`) for systems that accept only a URL. A post to the address is an event of this type by the bot. The previous address and its secret are refused from then on. Needs scope admin. */
            "POST /eventtypes/{id}/ingest": {
                path: {
                    id: string;
                };
                body: components["schemas"]["IngestAddressInput"];
                answer: components["schemas"]["IngestAddress"];
            };
            /** @description Delete an event type's ingest address. Deletes the ingest address. Posts to it return 404 from then on. Needs scope admin. */
            "DELETE /eventtypes/{id}/ingest": {
                path: {
                    id: string;
                };
            };
            /** @description Preview an unsaved expression on an event. Evaluates an unsaved expression on an event, for editors. Nothing is stored. Needs scope admin. */
            "POST /eventtypes/preview": {
                body: components["schemas"]["ExpressionDraft"];
                answer: components["schemas"]["EventPreview"];
            };
            /** @description List business events. Returns a page of business events. Filter by any field. Bodies above 16 KiB are left out. Needs scope bot. */
            "GET /events": {
                answer: components["schemas"]["BusinessEvent"][];
            };
            /** @description Send a business event as a CloudEvent. Sends a CloudEvent 1.0 in structured or binary form, like `sendEvent`. Its `type` is the name. Its `id` and `source` are the idempotency key. Needs scope bot. */
            "POST /events": {
                body: components["schemas"]["CloudEvent"];
                answer: components["schemas"]["BusinessEventOutcome"];
            };
            /** @description Fetch a business event. Returns a business event with its body and its outcome. Needs scope bot. */
            "GET /events/{name}": {
                path: {
                    name: string;
                };
                answer: components["schemas"]["BusinessEvent"];
            };
            /** @description Send a business event. Finds the event type by its name, in your organization or the nearest above, evaluates its expression on the body, and posts the result. The event is stored first. Needs scope bot. */
            "POST /events/{name}": {
                path: {
                    name: string;
                };
                /** @description The event: any JSON that the expression of the event type accepts. */
                body: unknown;
                answer: components["schemas"]["BusinessEventOutcome"];
            };
            /** @description Retry unrouted events. Runs the unrouted events of a name since a time, in the order of arrival. Events without an event type stay unrouted. Needs scope bot. */
            "POST /events/retry": {
                body: components["schemas"]["UnroutedRetryInput"];
                answer: components["schemas"]["RetriedEvents"];
            };
            /** @description Retry a business event. Runs a stored event again, with the current expression of its type. An event that has posted does not post twice. Needs scope bot. */
            "POST /events/{id}/retry": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["BusinessEventOutcome"];
            };
            /** @description Upload a file for a message. Uploads a file of at most 16 MiB for a message of the conversation. The message has the address `url` as its text. A file without a message is deleted after a day. Needs scope guest. */
            "POST /files": {
                /** Format: binary */
                body: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
                answer: components["schemas"]["UploadedFile"];
            };
        };
        /** @description The operations of events, by resource. */
        EventOperations: {
            /** @enum {string} */
            message: "create" | "update" | "delete" | "receipt";
            /** @enum {string} */
            conversation: "create" | "update" | "delete";
            /** @enum {string} */
            contact: "create" | "update" | "delete";
            /** @enum {string} */
            user: "create" | "update" | "delete" | "login";
            /** @enum {string} */
            organization: "create" | "update" | "delete";
            /** @enum {string} */
            orggroup: "create" | "update" | "delete";
            /** @enum {string} */
            form: "create" | "update" | "delete";
            /** @enum {string} */
            channel: "create" | "update" | "delete";
            /** @enum {string} */
            service: "create" | "update" | "delete" | "error";
            /** @enum {string} */
            eventtype: "create" | "update" | "delete" | "error";
            /** @enum {string} */
            kbitem: "create" | "update" | "delete";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
